# SPDX-License-Identifier: Apache-2.0
# A room of core is an OBJECT library whose headers are found as <room>/header.h. A room sees only the rooms that
# it links (ROOMS): each room has an include root of its own in the build tree that holds a link to that room alone,
# so a wrong #include does not compile. LIBS are third-party targets private to the room.
function(bellwether_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;ROOMS;LIBS;PUBLIC_LIBS" ${ARGN})
  set(root "${CMAKE_BINARY_DIR}/rooms/${name}")
  file(MAKE_DIRECTORY "${root}")
  file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}" "${root}/${name}" SYMBOLIC)

  add_library(room-${name}-headers INTERFACE)
  target_include_directories(room-${name}-headers INTERFACE "$<BUILD_INTERFACE:${root}>")
  target_link_libraries(room-${name}-headers INTERFACE ${ROOM_PUBLIC_LIBS})
  foreach(other IN LISTS ROOM_ROOMS)
    target_link_libraries(room-${name}-headers INTERFACE room-${other}-headers)
  endforeach()

  add_library(room-${name} OBJECT ${ROOM_SOURCES})
  target_link_libraries(room-${name} PUBLIC room-${name}-headers PRIVATE bellwether-flags ${ROOM_LIBS})
  set_property(GLOBAL APPEND PROPERTY BELLWETHER_ROOMS ${name})
  set_property(GLOBAL APPEND PROPERTY BELLWETHER_ROOM_LIBS ${ROOM_LIBS})
endfunction()
