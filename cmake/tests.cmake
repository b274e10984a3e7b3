# The tests' programs link one shared library of all that Limber is. So they are compiled once and run
# with two libraries: the one of this build, and that of LIMBER_ALSO_TEST. The preset asan runs them
# with its own library under the sanitizers and with the release one.
set(LIMBER_ALSO_TEST "" CACHE PATH "Folder with the limber_tested of another build, to test as well")

set(parts limber_runtime limber limber_pictures limber_study limber_studio)
set(objects limber_runtime_parts limber limber_pictures limber_study limber_studio)
list(TRANSFORM objects REPLACE "(.+)" "$<FILTER:$<TARGET_OBJECTS:\\1>,EXCLUDE,[gp]ch$>")
list(TRANSFORM parts REPLACE "(.+)" "$<TARGET_PROPERTY:\\1,INTERFACE_INCLUDE_DIRECTORIES>"
     OUTPUT_VARIABLE includes)
add_library(limber_tested SHARED ${objects} ${PROJECT_SOURCE_DIR}/tests/support/sanitizers.cpp)
target_include_directories(limber_tested PRIVATE ${PROJECT_SOURCE_DIR}/tests)
target_compile_definitions(limber_tested PRIVATE $<$<BOOL:${LIMBER_SANITIZE}>:LIMBER_SANITIZE>)
target_link_libraries(limber_tested PRIVATE ${parts})  # for the libraries that they need
target_include_directories(limber_tested INTERFACE ${includes})
# Its own copies of inline functions, not those of a test, which are compiled without optimisation.
target_link_options(limber_tested PRIVATE -Wl,-Bsymbolic-functions)

# limber_test_flags(program): flags and libraries of a program of the tests.
function(limber_test_flags program)
  limber_unity(${program} 6)
  target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${program} PRIVATE limber_tested test_support Eigen3::Eigen fmt::fmt hwy::hwy
                        nlohmann_json::nlohmann_json ZLIB::ZLIB GTest::gtest GTest::gtest_main)
  target_compile_definitions(${program} PRIVATE LIMBER_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  # Compiling takes longer than running; what the sanitizers watch is the library.
  target_compile_options(${program} PRIVATE -O0 -g0)
  if(LIMBER_SANITIZE)
    target_compile_options(${program} PRIVATE -fno-sanitize=all)
    target_compile_definitions(${program} PRIVATE LIMBER_SANITIZE)
  endif()
  get_property(first GLOBAL PROPERTY limber_first_test_program)
  if(first)
    limber_common_headers(${program} REUSE_FROM ${first})
  else()
    limber_common_headers(${program} <Eigen/Dense> <gtest/gtest.h> <algorithm> <cmath> <filesystem>
                          <functional> <map> <memory> <optional> <random> <span> <string> <vector>)
    set_property(GLOBAL PROPERTY limber_first_test_program ${program})
  endif()
  target_link_options(${program} PRIVATE -Wl,--enable-new-dtags)  # LD_LIBRARY_PATH goes first
endfunction()

# limber_test_program(program name): a GoogleTest program, and its ctests. The program is one ctest:
# starting it for every test takes longer than its tests.
function(limber_test_program program name)
  limber_test_flags(${program})
  # fontconfig keeps what it has read until the process ends.
  set(environment "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/known_leaks.txt")
  add_test(NAME ${name} COMMAND ${program})
  set_tests_properties(${name} PROPERTIES TIMEOUT 1800 ENVIRONMENT "${environment}"
    RESOURCE_LOCK ${name})  # a program's temporary files have names of their own, two runs do not
  if(LIMBER_ALSO_TEST)
    cmake_path(GET LIMBER_ALSO_TEST PARENT_PATH build)
    cmake_path(GET build FILENAME build)
    add_test(NAME ${build}.${name} COMMAND ${program})
    set_tests_properties(${build}.${name} PROPERTIES TIMEOUT 1800 RESOURCE_LOCK ${name}
      ENVIRONMENT "${environment};LD_LIBRARY_PATH=${LIMBER_ALSO_TEST}"
      REQUIRED_FILES ${LIMBER_ALSO_TEST}/liblimber_tested.so)
  endif()
endfunction()

# limber_fast_test(program name): a ctest of what takes too long under the sanitizers.
function(limber_fast_test program name)
  if(LIMBER_ALSO_TEST)
    cmake_path(GET LIMBER_ALSO_TEST PARENT_PATH build)
    cmake_path(GET build FILENAME build)
    add_test(NAME ${build}.${name} COMMAND ${program})
    set_tests_properties(${build}.${name} PROPERTIES TIMEOUT 1800
      ENVIRONMENT "LD_LIBRARY_PATH=${LIMBER_ALSO_TEST}"
      REQUIRED_FILES ${LIMBER_ALSO_TEST}/liblimber_tested.so)
  else()
    add_test(NAME ${name} COMMAND ${program})
  endif()
endfunction()
