import type { A2aErrorReason } from "@stemma/client/a2a";
import { StemmaError, type StemmaErrorOptions } from "@stemma/core/errors";

/** Options of `A2aServerError`, the error that a request is answered with instead of a result. */
export interface A2aServerErrorOptions extends Partial<StemmaErrorOptions> {
	/** The field of the request, as one writes it in JavaScript. */
	readonly param?: string | undefined;
	/**
	 * HTTP status, where the default of the reason is not specific enough. With JSON-RPC, 405, 413, 429 and those from
	 * 500 on are sent; else the status is 200.
	 */
	readonly status?: number | undefined;
	/** Headers of the answer, such as `retry-after`. */
	readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * Error that a request is answered with instead of a result. `code` is the reason in lower case, unless it is given.
 */
export class A2aServerError extends StemmaError {
	static override get stemmaName(): string {
		return "A2aServerError";
	}
	declare static readonly is: (error: unknown) => error is A2aServerError;

	declare readonly reason: A2aErrorReason;
	declare readonly param?: string;
	declare readonly status?: number;
	declare readonly headers?: Readonly<Record<string, string>>;

	constructor(
		reason: A2aErrorReason,
		message: string,
		{ code = reason.toLowerCase(), hint, cause, param, status, headers }: A2aServerErrorOptions = {},
	) {
		super(message, { code, hint, cause }, { reason, param, status, headers });
	}
}

/** A parameter is missing or of the wrong kind. */
export const invalidParam = (param: string, message: string): A2aServerError =>
	new A2aServerError("INVALID_PARAMS", `${param}: ${message}`, { param });
