import { type Logger, pino } from "pino";
import type { LogLevel } from "./configuration";

const SECRET_FIELDS = [
	"authorization",
	"cookie",
	"apiKey",
	"client_secret",
	"client_key",
	"access_token",
	"run_token",
];

/** Lines of JSON on the standard output. Fields that hold secrets are masked, should one ever get there. */
export const createLogger = (level: LogLevel): Logger =>
	pino({
		level,
		base: null,
		timestamp: pino.stdTimeFunctions.isoTime,
		redact: {
			paths: SECRET_FIELDS.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]),
			censor: "****",
		},
	});
