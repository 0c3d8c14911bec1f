const client = require("@stemma/client");
const local = require("@stemma/local");

Promise.all([import("./report.mjs"), import("./whole-line.mjs")]).then(([{ report }, { wholeLine }]) =>
	report(wholeLine, { client, local }),
);
