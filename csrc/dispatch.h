// Which instruction sets this build has and this machine can run, and the kernels now in use.
#pragma once

#include <string>
#include <vector>

#include "kernels/kernels.h"

namespace pyattn {

const Kernels& kernels();                   // those in use; the best by default
std::vector<std::string> available_isas();  // worst to best
void select_isa(const std::string& name);   // std::invalid_argument when there is no such, or it cannot run here
void select_best_isa();

}  // namespace pyattn
