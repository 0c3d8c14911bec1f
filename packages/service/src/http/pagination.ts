import { DomainError } from "../errors/domain-error";
import type { PageRequest } from "../pagination";
import type { ServiceContext } from "./service-context";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** `?limit=&after=` of a list. Ask the store for `limit + 1` rows: see {@link paginate}. */
export function readPageRequest(context: ServiceContext): PageRequest {
	const after = context.req.query("after");
	if (after !== undefined && !/^[\w.-]{1,100}$/.test(after))
		throw new DomainError("invalid_request", '"after" must be the "next" of the page before.', {
			param: "after",
		});
	return { limit: readLimit(context.req.query("limit")), after };
}

function readLimit(text: string | undefined): number {
	if (text === undefined) return DEFAULT_LIMIT;
	const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
	if (limit >= 1 && limit <= MAX_LIMIT) return limit;
	throw new DomainError("invalid_request", `"limit" must be a whole number from 1 to ${MAX_LIMIT}.`, {
		param: "limit",
	});
}
