# SPDX-License-Identifier: Apache-2.0
# One INTERFACE target carries the warnings and sanitizers of every target of ours.
add_library(bellwether-flags INTERFACE)
target_compile_options(bellwether-flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast -Wnon-virtual-dtor -Woverloaded-virtual
  # A designated initializer leaves members out on purpose.
  -Wno-missing-field-initializers
  # Below -O2 GCC 12 sees uninitialized values in the standard library that are none.
  $<$<CONFIG:Debug>:-Wno-maybe-uninitialized>)
if(BELLWETHER_WERROR)
  target_compile_options(bellwether-flags INTERFACE -Werror)
endif()
if(BELLWETHER_SANITIZE)
  target_compile_options(bellwether-flags INTERFACE -fsanitize=${BELLWETHER_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(bellwether-flags INTERFACE -fsanitize=${BELLWETHER_SANITIZE})
endif()
