import { expect, test } from "vitest";
import { paginate } from "../pagination";
import { readPageRequest } from "./pagination";
import { createTestApp, readError } from "./test-support/test-app";

const { app } = createTestApp();
app.get("/list", (context) => context.json(readPageRequest(context)));

test.each([
	["", { limit: 20 }],
	["?limit=1", { limit: 1 }],
	["?limit=100&after=doc_1", { limit: 100, after: "doc_1" }],
])("%j is read", async (query, page) => {
	expect(await (await app.request(`/list${query}`)).json()).toEqual(page);
});

test.each([
	["?limit=0", "limit"],
	["?limit=101", "limit"],
	["?limit=1.5", "limit"],
	["?limit=", "limit"],
	["?after=", "after"],
	["?after=a%20b", "after"],
])("%j is refused", async (query, param) => {
	const response = await app.request(`/list${query}`);
	expect([response.status, (await readError(response)).param]).toEqual([400, param]);
});

const byId = ({ id }: { readonly id: string }) => id;
const rows = ["a", "b", "c"].map((id) => ({ id }));

test("a page with one row more than asked for has a next one", () => {
	expect(paginate(rows, 2, byId)).toEqual({ data: [{ id: "a" }, { id: "b" }], has_more: true, next: "b" });
});
test("the last page has none", () => {
	expect(paginate(rows, 3, byId)).toEqual({ data: rows, has_more: false, next: null });
	expect(paginate([], 3, byId)).toEqual({ data: [], has_more: false, next: null });
});
