# assignment: softmax
# expect: score=0 code=import-failed
# tries: a module that is not there

import torch

softmax = torch.softmax
