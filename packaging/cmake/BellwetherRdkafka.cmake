# SPDX-License-Identifier: Apache-2.0
# Finds librdkafka >= 2.14 as the target bellwether::rdkafka; packaging/setup/librdkafka builds one where the system's
# is older and prints its prefix.
find_package(PkgConfig REQUIRED)
if(BELLWETHER_RDKAFKA_PREFIX STREQUAL "" OR BELLWETHER_RDKAFKA_PREFIX STREQUAL "system")
  pkg_check_modules(RDKAFKA IMPORTED_TARGET GLOBAL rdkafka>=2.14)
  if(NOT RDKAFKA_FOUND)
    message(FATAL_ERROR "librdkafka >= 2.14 was not found. Run packaging/setup/librdkafka and pass what it prints as "
                        "-DBELLWETHER_RDKAFKA_PREFIX=..., or use ./run and ./test, which do both.")
  endif()
  add_library(bellwether::rdkafka ALIAS PkgConfig::RDKAFKA)
else()
  find_file(BELLWETHER_RDKAFKA_PC NAMES rdkafka.pc NO_DEFAULT_PATH
            PATHS "${BELLWETHER_RDKAFKA_PREFIX}/lib/pkgconfig"
                  "${BELLWETHER_RDKAFKA_PREFIX}/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig")
  find_library(BELLWETHER_RDKAFKA_A NAMES librdkafka.a NO_DEFAULT_PATH
               PATHS "${BELLWETHER_RDKAFKA_PREFIX}/lib" "${BELLWETHER_RDKAFKA_PREFIX}/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
  if(NOT BELLWETHER_RDKAFKA_A OR NOT BELLWETHER_RDKAFKA_PC)
    message(FATAL_ERROR "no static librdkafka below ${BELLWETHER_RDKAFKA_PREFIX}; run packaging/setup/librdkafka again")
  endif()
  pkg_check_modules(RDKAFKA_DEPS REQUIRED IMPORTED_TARGET GLOBAL libcurl liblz4 libzstd libsasl2 libssl libcrypto zlib)
  add_library(bellwether-rdkafka-static STATIC IMPORTED GLOBAL)
  set_target_properties(bellwether-rdkafka-static PROPERTIES
    IMPORTED_LOCATION "${BELLWETHER_RDKAFKA_A}"
    INTERFACE_INCLUDE_DIRECTORIES "${BELLWETHER_RDKAFKA_PREFIX}/include"
    INTERFACE_LINK_LIBRARIES "PkgConfig::RDKAFKA_DEPS;m;dl;rt;pthread")
  add_library(bellwether::rdkafka ALIAS bellwether-rdkafka-static)
endif()
