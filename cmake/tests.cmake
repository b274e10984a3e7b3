# limber_register_tests(program name): every test of a GoogleTest program as a ctest of its own. Under
# the sanitizers the program is one ctest: starting it hundreds of times takes longer than its tests.
function(limber_register_tests program name)
  # fontconfig keeps what it has read until the process ends.
  set(environment "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/tests/support/known_leaks.txt")
  if(LIMBER_SANITIZE)
    add_test(NAME ${name} COMMAND ${program})
    set_tests_properties(${name} PROPERTIES TIMEOUT 1800 ENVIRONMENT ${environment})
  else()
    gtest_discover_tests(${program} TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
                         PROPERTIES TIMEOUT 300 ENVIRONMENT ${environment})
  endif()
endfunction()
