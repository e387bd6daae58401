-- A table for each command, from the lines that fleet.py wrote. Each names the columns that it needs.
CREATE TABLE items AS SELECT parse_filename(filename, true) AS repository, * EXCLUDE filename
FROM read_ndjson('lines/list/*.jsonl', filename = true, columns = {
  kind: 'VARCHAR', name: 'VARCHAR', source: 'STRUCT(tier VARCHAR, path VARCHAR)', bytes: 'BIGINT', tokens: 'BIGINT'});

CREATE TABLE findings AS SELECT parse_filename(filename, true) AS repository, * EXCLUDE filename
FROM read_ndjson('lines/lint/*.jsonl', filename = true, columns = {
  code: 'VARCHAR', name: 'VARCHAR', severity: 'VARCHAR', message: 'VARCHAR', agents: 'VARCHAR[]',
  source: 'STRUCT(path VARCHAR, line BIGINT)'});

CREATE TABLE agents AS SELECT parse_filename(filename, true) AS repository, * EXCLUDE filename
FROM read_ndjson('lines/agents/*.jsonl', filename = true, columns = {
  name: 'VARCHAR', version: 'VARCHAR', tokens: 'BIGINT',
  files: 'STRUCT(path VARCHAR, state VARCHAR, why VARCHAR, "at" BIGINT, bytes BIGINT, tokens BIGINT)[]'});

CREATE TABLE prompts AS SELECT parse_filename(filename, true) AS repository, * EXCLUDE filename
FROM read_ndjson('lines/render/*.jsonl', filename = true, columns = {
  directive: 'STRUCT(id VARCHAR)', sha256: 'VARCHAR', error: 'STRUCT(code VARCHAR, message VARCHAR)',
  layers: 'STRUCT(kind VARCHAR, name VARCHAR, tokens BIGINT, item STRUCT("type" VARCHAR, id VARCHAR))[]'});
