"""Waters."""

import os
__tool_description__ = "Water " 'it'

CONFIG_SCHEMA = {
    "type": "object",  # one
    "properties": {"litres": {"type": "number"}},
}


def run():
    return {"CONFIG_SCHEMA": 1}
