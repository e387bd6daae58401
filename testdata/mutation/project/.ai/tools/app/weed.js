// Weeds.
const fs = require('fs');
export const CONFIG_SCHEMA = {type: "object", properties: {bed: {type: 'string'}}};

exports.__tool_description__ = `Pull weeds`;
