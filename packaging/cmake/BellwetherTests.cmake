# SPDX-License-Identifier: Apache-2.0
# bellwether_test(name LABEL core SOURCES a.cpp ROOMS coordination ... [LIBS ...] [TIMEOUT seconds] [SERIAL])
# builds one GoogleTest program and registers it as one ctest test of that tier.
find_package(GTest REQUIRED)

function(bellwether_test name)
  cmake_parse_arguments(TEST "SERIAL" "LABEL;TIMEOUT" "SOURCES;ROOMS;LIBS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES})
  target_link_libraries(${name} PRIVATE bellwether-core bellwether-flags GTest::gtest_main GTest::gmock ${TEST_LIBS})
  foreach(room IN LISTS TEST_ROOMS)
    target_link_libraries(${name} PRIVATE room-${room}-headers)
  endforeach()
  target_compile_definitions(${name} PRIVATE
    BELLWETHER_TEST_DATA="${CMAKE_SOURCE_DIR}/tests/data" BELLWETHER_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 60)
  endif()
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS ${TEST_LABEL} TIMEOUT ${TEST_TIMEOUT})
  if(TEST_SERIAL)
    set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
  endif()
endfunction()
