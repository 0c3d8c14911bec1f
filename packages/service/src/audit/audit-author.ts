/** Author of a change, with the request that made it. */
export interface AuditAuthor {
	/** `cl_…`, `usr_…`, or {@link OPERATOR}. */
	readonly actor: string;
	/** Default: there was no request. */
	readonly requestId?: string | null;
}

/** Actor name of users who work on the machine itself. */
export const OPERATOR = "operator";

/** The caller of a request. */
export const readAuthor = (scope: {
	readonly caller: { readonly id: string };
	readonly requestId: string;
}): AuditAuthor => ({
	actor: scope.caller.id,
	requestId: scope.requestId,
});
