CONFIG_SCHEMA = load_schema()
