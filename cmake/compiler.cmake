# Language, warnings, sanitizers and ccache: the same for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")
set(CMAKE_CXX_FLAGS_DEBUG "-O1 -g1")

find_program(CCACHE ccache)
if(CCACHE)
  # Precompiled headers are told apart by what they hold.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${CCACHE})
endif()

add_compile_options(-Wall -Wextra -Wshadow -Wno-unused-parameter
                    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>)
# GCC 12 sees uninitialised and out-of-bounds reads in Eigen's vector kernels that are not there.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  add_compile_options(-Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overread
                      -Wno-stringop-overflow)
endif()

if(CMAKE_CXX_FLAGS MATCHES "-m(arch|avx)")  # Eigen's memory as without them: see cmake/sealed.cmake
  add_compile_definitions(EIGEN_MAX_ALIGN_BYTES=16)
endif()

if(LIMBER_SANITIZE)
  # What the address sanitizer sees anyway is left to it: a third less time to compile.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=null,object-size,pointer-overflow,vptr
                      -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
endif()
