# limber_sealed_library(name parts): a library, static or shared as BUILD_SHARED_LIBS says, of an object
# library's objects joined into one, in which functions that every user of a header compiles again are
# out of the linker's sight.
#
# Inline functions and templates have one name whatever flags they were compiled with, and the linker
# keeps one of them. Compiled for AVX by a game, Eigen's functions align and free memory otherwise than
# the library's: without the seal a game that is built with -march=native would crash in the library.
include_guard()
option(LIMBER_SEAL "Keep the runtime's copies of inline functions apart from those of its users" ON)
set(limber_seal_script ${CMAKE_CURRENT_LIST_DIR}/seal.cmake)

function(limber_sealed_library name parts)
  # CMake counts precompiled headers among the objects.
  set(objects "$<FILTER:$<TARGET_OBJECTS:${parts}>,EXCLUDE,[gp]ch$>")
  if(NOT LIMBER_SEAL OR NOT UNIX OR APPLE OR CMAKE_INTERPROCEDURAL_OPTIMIZATION)
    add_library(${name} ${objects})
  else()
    set(joined ${CMAKE_CURRENT_BINARY_DIR}/${name}_joined.o)
    set(sealed ${CMAKE_CURRENT_BINARY_DIR}/${name}_sealed.o)
    add_custom_command(
      OUTPUT ${sealed} BYPRODUCTS ${joined}
      COMMAND ${CMAKE_CXX_COMPILER} -r -nostdlib -Wl,--force-group-allocation -o ${joined} ${objects}
      COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DOBJCOPY=${CMAKE_OBJCOPY} -DJOINED=${joined}
              -DSEALED=${sealed} -P ${limber_seal_script}
      DEPENDS ${parts} ${objects} ${limber_seal_script}
      COMMENT "Sealing ${name}" COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties(${sealed} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
    add_library(${name} ${sealed})
    set_target_properties(${name} PROPERTIES LINKER_LANGUAGE CXX LIMBER_SEALED_OBJECT ${sealed})
  endif()
endfunction()
