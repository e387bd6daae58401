"""Errors per minute, from the load balancer."""

__version__ = "1.0.0"
__tool_description__ = "Errors of the last minute in an environment"

CONFIG_SCHEMA = {
    "type": "object",
    "properties": {"target": {"type": "string", "description": "The environment"}},
    "required": ["target"],
}


def execute(params, project_path):
    """Asks the load balancer; never run here."""
    raise NotImplementedError
