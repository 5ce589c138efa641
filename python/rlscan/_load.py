class CompileError(ValueError):
    pass
def load(path):
    raise NotImplementedError
