import * as z from "zod";
import { DomainError } from "../errors/domain-error";
import { type PageRequest, paginate } from "../pagination";
import { readQuery } from "./body/read-json";
import type { ServiceContext } from "./service-context";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

/** Query of a list that has no parameters besides `limit` and `after`. */
export const noParameters = z.strictObject({});

export interface PageOptions<Row, Query> {
	/** Schema of the parameters besides `limit` and `after`. */
	readonly query: z.ZodType<Query>;
	/** Lists up to `limit + 1` rows: see {@link paginate}. */
	list(page: PageRequest, query: Query): Promise<readonly Row[]>;
	/** Sort key of a row, as text. */
	cursorOf(row: Row): string;
}

/** Responds with the page of a list that a request asks for. @throws DomainError for parameters that are not known. */
export async function respondWithPage<Row, Query>(
	context: ServiceContext,
	{ query, list, cursorOf }: PageOptions<Row, Query>,
): Promise<Response> {
	const parameters = readQuery(context, query);
	const page = readPageRequest(context);
	return context.json(paginate(await list(page, parameters), page.limit, cursorOf));
}

/** Responds as {@link respondWithPage} does, with rows in the order of their ids and without further parameters. */
export const respondWithPageById = <Row extends { readonly id: string }>(
	context: ServiceContext,
	list: (page: PageRequest) => Promise<readonly Row[]>,
): Promise<Response> => respondWithPage(context, { query: noParameters, list, cursorOf: ({ id }) => id });

/** `?limit=&after=` of a list. */
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
