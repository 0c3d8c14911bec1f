import { describe, expect, it } from "vitest";
import { findKnowledgeBase, getKnowledgeBase } from "./find-knowledge-base";

const handbook = { id: "kb_1", slug: "handbook", name: "handbook" };
const api = { id: "kb_2", slug: "api-2", name: "api" };

describe("findKnowledgeBase", () => {
	it("finds by id, slug and name", () => {
		expect(findKnowledgeBase("api-2", [handbook, api])).toBe(api);
		expect(findKnowledgeBase("api", [handbook, api])).toBe(api);
		expect(findKnowledgeBase("kb_2", [handbook, api])).toBe(api);
		expect(findKnowledgeBase("handbook", [handbook, api])).toBe(handbook);
		expect(findKnowledgeBase("hr", [handbook, api])).toBeUndefined();
	});

	it("prefers ids and slugs to names that look like them", () => {
		expect(findKnowledgeBase("handbook", [{ ...api, name: "handbook" }, handbook])).toBe(handbook);
		expect(findKnowledgeBase("kb_1", [{ id: "kb_3", slug: "kb-1", name: "kb_1" }, handbook])).toBe(handbook);
	});

	it("asks for the slug where several have the name", () => {
		const named = { ...handbook, name: "Handbook" };
		expect(() => findKnowledgeBase("Handbook", [named, { ...api, name: "Handbook" }])).toThrow(
			expect.objectContaining({
				message: '2 knowledge bases are called "Handbook".',
				hint: "Give the slug: handbook, api-2.",
			}),
		);
	});
});

describe("getKnowledgeBase", () => {
	it("says which was probably meant, and which there are", () => {
		expect(() => getKnowledgeBase("handbok", [handbook, api])).toThrow(
			expect.objectContaining({
				message: 'There is no knowledge base "handbok". Did you mean "handbook"?',
				hint: 'There are handbook, api-2 ("api").',
			}),
		);
	});
});
