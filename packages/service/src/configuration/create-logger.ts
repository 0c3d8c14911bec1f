import { type DestinationStream, type Logger, pino } from "pino";
import { redactLine } from "../redaction/redact-line";
import { createRedactor, type Redactor } from "../redaction/redactor";
import type { LogLevel } from "./configuration";

const SECRET_FIELDS = new Set([
	"authorization",
	"cookie",
	"apiKey",
	"api_key",
	"secret_access_key",
	"session_token",
	"client_secret",
	"client_key",
	"access_token",
	"run_token",
]);

/**
 * Lines of JSON. Fields that hold secrets are masked, should one ever get there, and so is every secret that the
 * redactor knows, wherever it stands.
 *
 * @param redactor - default: one that knows only what credentials of Stemma itself look like.
 * @param destination - default: the standard output.
 */
export const createLogger = (
	level: LogLevel,
	redactor: Redactor = createRedactor(),
	destination: DestinationStream = pino.destination(1),
): Logger =>
	pino(
		{
			level,
			base: null,
			timestamp: pino.stdTimeFunctions.isoTime,
			hooks: { streamWrite: (line) => redactLine(line, redactor, SECRET_FIELDS) },
		},
		destination,
	);
