"""Causal whatever was asked for."""

CODE = "causal-always"
TITLE = {"en": "The causal mask is applied with causal=False, too", "zh": "causal=False 时也用了因果掩码"}
HINT = {
    "en": "Without causal=True every query may see every key that its length permits. Look at the argument before "
    "you build the triangle.",
    "zh": "没有 causal=True 时，每个查询都可以看到长度允许的所有键。构造三角形之前请先看这个参数。",
}


def seen(queries, keys, causal, valid_lens):
    if valid_lens is None:
        return triangle(queries, keys)
    return both(triangle(queries, keys), within(columns(valid_lens), queries, keys))
