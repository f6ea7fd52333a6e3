# One kernel source, compiled once per instruction set into its own object library.

set(PYATTN_WARNINGS -Wall -Wextra -Wconversion -Wno-sign-conversion)
if(PYATTN_WERROR)
  list(APPEND PYATTN_WARNINGS -Werror)
endif()
set(PYATTN_SANITIZERS)
if(PYATTN_SANITIZE)
  # -O3 compiles the checks of an unrolled tile for minutes; of what is found, -g1 tells function and line
  set(PYATTN_SANITIZERS
    -O1 -g1 -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
endif()

set(PYATTN_KERNEL_FLAGS
  -O3 -ffp-contract=fast -fno-math-errno -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-lto
  -fno-asynchronous-unwind-tables -Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees its own AVX-512 headers use an undefined register on purpose.
  list(APPEND PYATTN_KERNEL_FLAGS -Wno-maybe-uninitialized -Wno-psabi)
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(PYATTN_ISAS baseline v3 v4 v4_bf16 v4_amx)
  set(PYATTN_FLAGS_baseline -march=x86-64)
  set(PYATTN_FLAGS_v3 -march=x86-64-v3)
  set(PYATTN_FLAGS_v4 -march=x86-64-v4 -mprefer-vector-width=512)
  set(PYATTN_FLAGS_v4_bf16 ${PYATTN_FLAGS_v4} -mavx512bf16)
  set(PYATTN_FLAGS_v4_amx ${PYATTN_FLAGS_v4_bf16} -mamx-tile -mamx-bf16)
else()
  set(PYATTN_ISAS baseline)
  set(PYATTN_FLAGS_baseline)
endif()
if(PYATTN_WITHOUT_V4)
  list(REMOVE_ITEM PYATTN_ISAS v4)
  set_source_files_properties(csrc/dispatch.cpp PROPERTIES COMPILE_DEFINITIONS PYATTN_WITHOUT_V4)
endif()

foreach(isa IN LISTS PYATTN_ISAS)
  add_library(pyattn_kernels_${isa} OBJECT csrc/kernels/kernels.cpp)
  target_include_directories(pyattn_kernels_${isa} PRIVATE csrc)
  target_compile_definitions(pyattn_kernels_${isa} PRIVATE PYATTN_ISA=${isa})
  target_compile_options(pyattn_kernels_${isa} PRIVATE ${PYATTN_KERNEL_FLAGS} ${PYATTN_FLAGS_${isa}} ${PYATTN_SANITIZERS})
endforeach()

function(pyattn_link_kernels target)
  foreach(isa IN LISTS PYATTN_ISAS)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:pyattn_kernels_${isa}>)
    pyattn_check_kernels(${target} ${isa})
  endforeach()
endfunction()

# Sanitizers bring symbols of their own, and such a build stays on the machine that made it.
function(pyattn_check_kernels target isa)
  if(PYATTN_SANITIZE OR NOT CMAKE_NM)
    return()
  endif()
  add_custom_command(TARGET ${target} PRE_LINK VERBATIM
    COMMAND ${CMAKE_COMMAND} -DNM=${CMAKE_NM} -DTABLE=pyattn_kernels_${isa}
      -DOBJECT=$<TARGET_OBJECTS:pyattn_kernels_${isa}> -P ${PROJECT_SOURCE_DIR}/cmake/check_kernels.cmake)
endfunction()
