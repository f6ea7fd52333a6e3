# assignment: softmax
# expect: score=0 code=module-missing
# tries: a module that is not there

import torch

softmax = torch.softmax
