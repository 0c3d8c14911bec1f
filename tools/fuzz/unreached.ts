/** Operations that the fuzzer need not succeed with, with the reason. */
export const UNREACHED: { readonly [operation: string]: string } = {
	...toReasons("an authenticator makes passkeys", [
		"POST /v1/passkeys",
		"PATCH /v1/passkeys/{id}",
		"DELETE /v1/passkeys/{id}",
		"POST /v1/session/passkey",
	]),
	...toReasons("a browser comes back from an issuer", [
		"GET /v1/sign-in/{issuer}/callback",
		"POST /v1/sign-in/{issuer}/logout",
	]),
	...toReasons("an app exchanges its code first", ["DELETE /v1/authorizations/{id}"]),
	...toReasons("people may sign in only so often, and the fuzzer tries more often", [
		"POST /v1/authorization-requests",
		"POST /v1/authorizations",
		"POST /v1/session",
		"DELETE /v1/sessions/{id}",
	]),
	...toReasons("only answers to a client key have addresses of documents", [
		"GET /v1/documents/{documentId}/file",
		"GET /v1/documents/{documentId}/text",
	]),
	...toReasons("few of its knowledge bases have been moved", ["DELETE /v1/knowledge-bases/{id}/reindex"]),
	...toReasons("its people are members of one workspace", ["POST /v1/session/workspace"]),
	...toReasons("a sync ends sooner", ["POST /v1/knowledge-bases/{id}/sources/{sourceId}/sync/cancel"]),
};

function toReasons(reason: string, operations: readonly string[]): { readonly [operation: string]: string } {
	return Object.fromEntries(operations.map((operation) => [operation, reason]));
}
