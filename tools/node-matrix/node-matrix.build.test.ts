import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createPackedConsumer, type PackedConsumer } from "../packed/packed-consumer";
import { expected } from "../packed/scenario.mjs";

const execute = promisify(execFile);
const node18 = fileURLToPath(
	new URL(`node_modules/node18-${process.platform}-${process.arch}/bin/node`, import.meta.url),
);

const BINARIES = [
	{ version: "v18.20.8", binary: node18 },
	{ version: process.version, binary: process.execPath },
];

const ESM = `
import * as core from "@stemma/core";
import * as errors from "@stemma/core/errors";
import * as sse from "@stemma/core/sse";
import * as local from "@stemma/local";
import * as engine from "@stemma/engine";
import { scenario } from "./scenario.mjs";
const outcome = await scenario({ core, errors, sse, local });
console.log(JSON.stringify({ version: process.version, engine: typeof engine.createEngine, ...outcome }));
`;

const CJS = `
const core = require("@stemma/core");
const errors = require("@stemma/core/errors");
const sse = require("@stemma/core/sse");
const local = require("@stemma/local");
const engine = require("@stemma/engine");
import("./scenario.mjs")
	.then(({ scenario }) => scenario({ core, errors, sse, local }))
	.then((outcome) => console.log(JSON.stringify({ version: process.version, engine: typeof engine.createEngine, ...outcome })));
`;

let consumer: PackedConsumer;
beforeAll(async () => {
	consumer = await createPackedConsumer();
	await consumer.write("esm.mjs", ESM);
	await consumer.write("cjs.cjs", CJS);
});
afterAll(() => consumer.remove());

describe.each(BINARIES)("the packed packages on Node $version", ({ version, binary }) => {
	it.skipIf(!existsSync(binary)).each(["esm.mjs", "cjs.cjs"])(
		"import and run a graph: %s",
		async (program) => {
			const { stdout, stderr } = await execute(binary, [program], { cwd: consumer.folder });
			expect(stderr).toBe("");
			expect(JSON.parse(stdout)).toEqual({ version, engine: "function", ...expected });
		},
	);
});
