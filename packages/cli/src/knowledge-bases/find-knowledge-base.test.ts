import { describe, expect, it } from "vitest";
import { findKnowledgeBase, getKnowledgeBase } from "./find-knowledge-base";

const handbook = { id: "kb_1", name: "handbook" };
const api = { id: "kb_2", name: "api" };

describe("findKnowledgeBase", () => {
	it("finds by id and by name", () => {
		expect(findKnowledgeBase("kb_2", [handbook, api])).toBe(api);
		expect(findKnowledgeBase("handbook", [handbook, api])).toBe(handbook);
		expect(findKnowledgeBase("hr", [handbook, api])).toBeUndefined();
	});

	it("prefers an id to a name that looks like one", () => {
		expect(findKnowledgeBase("kb_1", [{ id: "kb_3", name: "kb_1" }, handbook])).toBe(handbook);
	});

	it("asks for the id where several have the name", () => {
		const all = [handbook, { id: "kb_3", name: "handbook" }];
		expect(() => findKnowledgeBase("handbook", all)).toThrow(
			expect.objectContaining({
				message: '2 knowledge bases are called "handbook".',
				hint: "Give the id: kb_1, kb_3.",
			}),
		);
	});
});

describe("getKnowledgeBase", () => {
	it("says which was probably meant, and which there are", () => {
		expect(() => getKnowledgeBase("handbok", [handbook, api])).toThrow(
			expect.objectContaining({
				message: 'There is no knowledge base "handbok". Did you mean "handbook"?',
				hint: 'There are "handbook" (kb_1), "api" (kb_2).',
			}),
		);
	});
});
