// Computing while other Python threads go on.
#pragma once

#include <cxxabi.h>
#include <pybind11/pybind11.h>
#include <unistd.h>

#include <exception>

namespace pyattn {

// Calls f with the interpreter's lock released. When the interpreter ends meanwhile, taking the lock back ends the
// (daemon) thread by unwinding its stack, which C++ destructors turn into an abort: such a thread sleeps instead until
// the process is gone, as Python 3.14 lets it do.
template <class F> void without_gil(F&& f) {
  PyThreadState* const state = PyEval_SaveThread();
  std::exception_ptr error;
  try {
    f();
  } catch (...) {
    error = std::current_exception();
  }
#if defined(__GLIBCXX__)
  try {
    PyEval_RestoreThread(state);
  } catch (abi::__forced_unwind&) {
    for (;;) pause();
  }
#else
  PyEval_RestoreThread(state);
#endif
  if (error) std::rethrow_exception(error);
}

}  // namespace pyattn
