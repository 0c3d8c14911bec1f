import type { ServiceContext } from "../http/service-app";

/** Who changes something, and with which request. */
export interface AuditAuthor {
	/** `cl_…`, or {@link OPERATOR}. */
	readonly actor: string;
	/** Default: there was no request. */
	readonly requestId?: string | null;
}

/** Whoever works on the machine itself. */
export const OPERATOR = "operator";

/** The caller of a request. */
export const readAuthor = (context: ServiceContext): AuditAuthor => ({
	actor: context.get("caller").id,
	requestId: context.get("requestId"),
});
