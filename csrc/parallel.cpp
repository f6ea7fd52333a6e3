#include "parallel.h"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace pyattn {
namespace {

constexpr std::int64_t kRuns = 4;  // of tasks that are left, for each thread

// Neighbouring tasks share what they read: a thread takes some in a row, and fewer the fewer are left, so that all
// threads end at about the same time.
struct Job {
  std::int64_t n;
  int threads;
  void (*call)(void*, std::int64_t);
  void* what;
  std::atomic<std::int64_t> next{0};
  std::exception_ptr error{};
  std::mutex error_lock{};

  std::int64_t take(std::int64_t& first) {
    first = next.load();
    std::int64_t last;
    do last = std::min(n, first + std::max<std::int64_t>(1, (n - first) / (kRuns * threads)));
    while (!next.compare_exchange_weak(first, last));
    return last;
  }

  void work() {
    try {
      for (std::int64_t first, last; (last = take(first)) > first;)
        for (std::int64_t i = first; i < last; ++i) call(what, i);
    } catch (...) {
      next = n;
      const std::lock_guard<std::mutex> guard(error_lock);
      if (!error) error = std::current_exception();
    }
  }
};

// The OpenMP runtime's threads do not survive fork(), but its memory of them does: a parallel region in the
// child would wait for them for ever. So a forked child starts plain threads of its own.
bool forked = false;
const int watch_fork = pthread_atfork(nullptr, nullptr, [] { forked = true; });

void run_with_own_threads(Job& job, int threads) {
  std::vector<std::jthread> team;  // joined at the end of the block, whatever ends it
  team.reserve(static_cast<std::size_t>(threads));
  try {
    for (int t = 1; t < threads; ++t) team.emplace_back([&job] { job.work(); });
  } catch (const std::system_error&) {
    // The system has no more threads to give: those there are do the work.
  }
  job.work();
}

}  // namespace

void run_parallel(std::int64_t n, int threads, void (*call)(void*, std::int64_t), void* what) {
  if (threads <= 1 || n <= 1) {
    for (std::int64_t i = 0; i < n; ++i) call(what, i);
    return;
  }
  // More would only wait for each other, and the OpenMP runtime ends the process when the system has no more to give.
  static const int most = 4 * int(std::max(1u, std::thread::hardware_concurrency()));
  const int team = int(std::min({std::int64_t(threads), n, std::int64_t(most)}));
  Job job{n, team, call, what};
  if (forked) {
    run_with_own_threads(job, team);
  } else {
#pragma omp parallel num_threads(team)
    job.work();
  }
  if (job.error) std::rethrow_exception(job.error);
}

}  // namespace pyattn
