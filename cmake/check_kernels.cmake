# Fails the build when a kernel object is not alone: it must define one global symbol, its table, and nothing that
# a linker may merge with another object's copy. Such a copy, compiled for AVX-512, would end in baseline code and
# kill it on an older processor.
#
#     cmake -DNM=nm -DTABLE=pyattn_kernels_v3 -DOBJECT=kernels.cpp.o -P check_kernels.cmake

execute_process(COMMAND ${NM} -P ${OBJECT} OUTPUT_VARIABLE symbols RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${NM} cannot read ${OBJECT}.")
endif()

set(has_table FALSE)
set(wrong)
string(REPLACE "\n" ";" lines "${symbols}")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^([^ ]+) ([A-Za-z])")
    continue()
  endif()
  set(name ${CMAKE_MATCH_1})
  set(type ${CMAKE_MATCH_2})
  if(type MATCHES "^[VvWwuC]$")
    list(APPEND wrong "  ${name} is weak: make it static, always_inline or part of the anonymous namespace")
  elseif(type STREQUAL "U" AND name MATCHES "^_Z")
    list(APPEND wrong "  ${name} is called from elsewhere: kernels use neither the STL nor exceptions nor new")
  elseif(name STREQUAL TABLE)
    set(has_table TRUE)
  elseif(type MATCHES "^[A-TV-Z]$")
    list(APPEND wrong "  ${name} is exported: move it into the anonymous namespace")
  endif()
endforeach()

if(NOT has_table)
  list(APPEND wrong "  ${TABLE} is missing")
endif()
if(wrong)
  list(JOIN wrong "\n" wrong)
  message(FATAL_ERROR "${OBJECT} breaks the rules of csrc/kernels (csrc/README.md):\n${wrong}")
endif()
