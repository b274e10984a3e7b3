# Puts a page into the folder PAGE. WEB is the folder of its sources, NODE that of package.json (WEB unless
# told otherwise), SCRIPT the npm script that builds it (build).
#
# web/prebuilt holds the page built from the sources whose digest is in prebuilt/sources.sha256: it
# is taken as it is while they match, so that nobody needs node who does not change the page.
# Otherwise node builds it anew; without node, the committed page is better than none.
# With PACK the page is built and becomes the committed one. With CHECK nothing is made: it fails when
# the committed page is older than its sources.

if(NOT NODE)
  set(NODE ${WEB})
endif()
if(NOT SCRIPT)
  set(SCRIPT build)
endif()

function(digest_of_sources result)
  file(GLOB_RECURSE files RELATIVE ${WEB}
       ${WEB}/src/*.ts ${WEB}/src/*.css ${WEB}/thumbnails/*.webp ${WEB}/index.html
       ${NODE}/package-lock.json ${WEB}/vite.config.ts)
  list(FILTER files EXCLUDE REGEX "node_modules|prebuilt|\\.test\\.ts$")
  list(SORT files)
  set(all "")
  foreach(file IN LISTS files)
    file(SHA256 ${WEB}/${file} sum)
    string(APPEND all "${file} ${sum}\n")
  endforeach()
  string(SHA256 digest "${all}")
  set(${result} ${digest} PARENT_SCOPE)
endfunction()

function(build_with_node result)
  set(${result} FALSE PARENT_SCOPE)
  find_program(NPM npm)
  if(NOT NPM)
    message(STATUS "Studio page: npm is not installed")
    return()
  endif()
  if(NOT EXISTS ${NODE}/node_modules/.package-lock.json OR NOT EXISTS ${NODE}/node_modules/.bin/vite
     OR ${NODE}/package-lock.json IS_NEWER_THAN ${NODE}/node_modules/.package-lock.json)
    execute_process(COMMAND ${NPM} ci WORKING_DIRECTORY ${NODE} RESULT_VARIABLE failed
                    OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(failed)
      message(STATUS "Studio page: npm ci failed\n${output}")
      return()
    endif()
  endif()
  execute_process(COMMAND ${NPM} run --silent ${SCRIPT} -- --logLevel warn --outDir ${PAGE} --emptyOutDir
                  WORKING_DIRECTORY ${NODE} RESULT_VARIABLE failed OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(failed)
    message(FATAL_ERROR "Studio page: the build failed\n${output}")
  endif()
  set(${result} TRUE PARENT_SCOPE)
endfunction()

function(take_prebuilt)
  file(REMOVE_RECURSE ${PAGE})
  file(COPY ${WEB}/prebuilt/ DESTINATION ${PAGE} PATTERN sources.sha256 EXCLUDE)
endfunction()

digest_of_sources(digest)
set(stamp ${WEB}/prebuilt/sources.sha256)
set(committed "")
if(EXISTS ${stamp})
  file(STRINGS ${stamp} committed LIMIT_COUNT 1)
endif()

if(CHECK)
  if(NOT digest STREQUAL committed)
    message(FATAL_ERROR "Page: ${WEB}/prebuilt is older than its sources; "
                        "build the target studio_page_pack or study_page_pack and commit it")
  endif()
elseif(PACK)
  build_with_node(built)
  if(NOT built)
    message(FATAL_ERROR "Studio page: node and npm are needed to renew web/prebuilt")
  endif()
  file(REMOVE_RECURSE ${WEB}/prebuilt)
  file(GLOB_RECURSE files RELATIVE ${PAGE} ${PAGE}/*)
  foreach(file IN LISTS files)
    get_filename_component(folder ${WEB}/prebuilt/${file} DIRECTORY)
    file(MAKE_DIRECTORY ${folder})
    if(file MATCHES "\\.(html|js|css)$")
      # -n leaves name and time out, so that the same page gives the same bytes.
      execute_process(COMMAND gzip -9 -n -c ${PAGE}/${file} COMMAND_ERROR_IS_FATAL ANY
                      OUTPUT_FILE ${WEB}/prebuilt/${file}.gz)
    else()
      file(COPY ${PAGE}/${file} DESTINATION ${folder})
    endif()
  endforeach()
  file(WRITE ${stamp} "${digest}\n")
elseif(digest STREQUAL committed)
  take_prebuilt()
else()
  build_with_node(built)
  if(NOT built)
    if(committed STREQUAL "")
      message(FATAL_ERROR "Studio page: install nodejs and npm and build again")
    endif()
    message(WARNING "Studio page: taking web/prebuilt, which is older than its sources")
    take_prebuilt()
  endif()
endif()
