const client = require("@stemma/client");
const local = require("@stemma/local");

Promise.all([import("./report.mjs"), import("./all-steps.mjs")]).then(([{ report }, { runAllSteps }]) =>
	report(runAllSteps, { client, local }),
);
