# limber_unity(target most): compiles up to `most` files of a folder as one, which takes half the time
# in all. Kernels that Highway compiles for several instruction sets include themselves and stay alone.
option(LIMBER_UNITY "Compile several files of a folder as one" OFF)

function(limber_unity target most)
  if(NOT LIMBER_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source ${sources})
    cmake_path(ABSOLUTE_PATH source OUTPUT_VARIABLE path)
    set(alone TRUE)  # what the build writes itself
    if(EXISTS ${path})
      file(STRINGS ${path} alone REGEX "HWY_TARGET_INCLUDE" LIMIT_COUNT 1)
    endif()
    if(NOT alone)
      cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
      cmake_path(GET path PARENT_PATH folder)
      string(MAKE_C_IDENTIFIER ${folder} name)
      math(EXPR count_${name} "0${count_${name}} + 1")
      math(EXPR group "(${count_${name}} - 1) / ${most}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${name}_${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# limber_common_headers(target headers...): what nearly every file of a large target includes is read
# once. Files include what they need all the same; only builds in units have this. `REUSE_FROM another`
# in place of headers takes those of another target with the same flags.
function(limber_common_headers target)
  if(NOT LIMBER_UNITY)
    return()
  endif()
  if("${ARGV1}" STREQUAL REUSE_FROM)
    target_precompile_headers(${target} ${ARGN})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)  # as ccache asks
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  else()
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()
