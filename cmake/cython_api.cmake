# pyattn.cython_api: Cython's translation of the .pyx, beside which the .pxd is installed for others to cimport.

set(PYATTN_CYTHON_CPP ${CMAKE_CURRENT_BINARY_DIR}/cython_api.cpp)
add_custom_command(
  OUTPUT ${PYATTN_CYTHON_CPP}
  COMMAND Python::Interpreter -m cython --cplus --output-file ${PYATTN_CYTHON_CPP} pyattn/cython_api.pyx
  DEPENDS pyattn/cython_api.pyx pyattn/cython_api.pxd
  WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
  COMMENT "Translating pyattn/cython_api.pyx"
  VERBATIM)

Python_add_library(cython_api MODULE WITH_SOABI ${PYATTN_CYTHON_CPP})
target_include_directories(cython_api PRIVATE csrc/bindings)
target_compile_options(cython_api PRIVATE ${PYATTN_SANITIZERS})
target_link_options(cython_api PRIVATE ${PYATTN_SANITIZERS})
