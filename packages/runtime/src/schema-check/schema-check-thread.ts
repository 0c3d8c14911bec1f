import { parentPort } from "node:worker_threads";
import { validateSchema } from "@stemma/local";
import type { SchemaCheckTask } from "./schema-thread";

/** Worker thread that checks outputs against JSON Schemas. */
parentPort?.on("message", ({ schema, value }: SchemaCheckTask) =>
	parentPort?.postMessage(validateSchema(schema, value, Number.POSITIVE_INFINITY)),
);
parentPort?.postMessage("ready");
