import type { ErrorFormat } from "../../http/errors/error-format";

/** Error of a route as Open WebUI writes it: a sentence under `detail`. */
export const toOpenWebUiError: ErrorFormat = ({ message, hint }, status) => ({
	status,
	body: { detail: hint === undefined ? message : `${message} ${hint}` },
});
