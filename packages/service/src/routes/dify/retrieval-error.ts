import type { ErrorFormat } from "../../http/errors/error-format";

/** Codes of errors in the external knowledge API of Dify. All others have the HTTP status as code. */
const INVALID_AUTHORIZATION = 1001;
const AUTHORIZATION_FAILED = 1002;
const KNOWLEDGE_NOT_FOUND = 2001;

const DENIED_STATUS = 403;

/**
 * Error of `POST /retrieval` as Dify reads it. A credential that is refused has the status 403: that is how Dify finds out,
 * when an API is registered, that its key is wrong.
 */
export const toRetrievalError: ErrorFormat = (error, status, authorization) => {
	const isDenied = status === 401 || status === DENIED_STATUS;
	const hint = error.hint === undefined ? "" : ` ${error.hint}`;
	return {
		status: isDenied ? DENIED_STATUS : status,
		body: {
			error_code: isDenied ? toDenialCode(authorization) : toCode(error.code, status),
			error_msg: `${error.message}${hint}`,
		},
	};
};

const toDenialCode = (authorization: string | undefined): number =>
	/^Bearer +\S+ *$/i.test(authorization ?? "") ? AUTHORIZATION_FAILED : INVALID_AUTHORIZATION;

const toCode = (code: string, status: number): number =>
	code === "knowledge_base_not_found" ? KNOWLEDGE_NOT_FOUND : status;
