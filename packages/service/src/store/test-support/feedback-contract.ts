import { describe, expect, it } from "vitest";
import type {
	FeedbackRepository,
	FeedbackSelection,
	RatedContent,
	StoredFeedback,
} from "../../feedback/feedback-repository";

export const toRatedContent = (question: string): RatedContent => ({
	question,
	history: [{ role: "user", content: "Hello" }],
	answer: { opens: "at nine" },
	citations: [],
	passages: [{ title: "Hours", text: "It opens at nine.", place: { start: 0, end: 17 } }],
});

/** Feedback of `cl_1` on the run `run_1` of the agent `ag_1`, at 1. */
export const toStoredFeedback = (id: string, parts: Partial<StoredFeedback> = {}): StoredFeedback => ({
	id,
	subject: "run_1",
	sent_by: "cl_1",
	agent_id: "ag_1",
	agent_slug: "desk",
	agent_version: 3,
	rating: "up",
	comment: null,
	tags: [],
	created_at: 1,
	updated_at: 1,
	content: toRatedContent(id),
	...parts,
});

/** Contract that each store of feedback keeps. @param open - an empty one. */
export function describeFeedbackRepository(open: () => { readonly feedback: FeedbackRepository }): void {
	describe("a repository of feedback", () => {
		it("replaces what the same sender said about the same answer, and nothing else", async () => {
			const { feedback } = open();
			const first = toStoredFeedback("fb_1", { comment: "Good.", tags: ["clear"] });
			expect(await feedback.put(first)).toEqual(first);
			const change = { rating: "down", tags: ["wrong", "old"], updated_at: 9, comment: "It closes" } as const;
			const again = toStoredFeedback("fb_2", { ...change, created_at: 9, content: toRatedContent("b") });
			const replaced = { ...again, id: "fb_1", created_at: 1 };
			expect(await feedback.put(again)).toEqual(replaced);
			const others = [
				toStoredFeedback("fb_3", { sent_by: "ck_1" }),
				toStoredFeedback("fb_4", { subject: "run_2" }),
			];
			for (const other of others) await feedback.put(other);
			expect(await feedback.list({ limit: 9 })).toEqual([...others.toReversed(), replaced]);
		});

		it("deletes what one sender said about one answer", async () => {
			const { feedback } = open();
			await feedback.put(toStoredFeedback("fb_1"));
			await feedback.put(toStoredFeedback("fb_2", { sent_by: "ck_1" }));
			expect(await feedback.delete("run_1", "ck_2")).toBeUndefined();
			expect(await feedback.delete("run_2", "ck_1")).toBeUndefined();
			expect(await feedback.delete("run_1", "ck_1")).toBe("fb_2");
			expect(await feedback.delete("run_1", "ck_1")).toBeUndefined();
			expect((await feedback.list({ limit: 9 })).map(({ id }) => id)).toEqual(["fb_1"]);
		});

		it("lists the newest first, with one more than was asked for, by all that it may be filtered by", async () => {
			const { feedback } = open();
			const answer = { agent_id: null, agent_slug: null, agent_version: null };
			for (const [id, parts] of [
				["fb_1", { tags: ["old", "a'b"] }],
				["fb_2", { rating: "down", agent_id: "ag_2", agent_slug: "harbour" }],
				["fb_3", { tags: ["older"], ...answer }],
				["fb_4", { rating: "down", tags: ["old"] }],
			] as const)
				await feedback.put(
					toStoredFeedback(id, { ...parts, subject: `run_${id}`, created_at: Number(id.slice(3)) }),
				);
			const list = async (selection: Partial<FeedbackSelection>) =>
				(await feedback.list({ limit: 9, ...selection })).map(({ id }) => id);
			expect(await list({})).toEqual(["fb_4", "fb_3", "fb_2", "fb_1"]);
			expect(await list({ limit: 1 })).toEqual(["fb_4", "fb_3"]);
			expect(await list({ limit: 1, after: "fb_3" })).toEqual(["fb_2", "fb_1"]);
			expect(await list({ rating: "down" })).toEqual(["fb_4", "fb_2"]);
			expect([await list({ agent: "ag_2" }), await list({ agent: "desk" })]).toEqual([
				["fb_2"],
				["fb_4", "fb_1"],
			]);
			expect([await list({ tag: "old" }), await list({ tag: "a'b" }), await list({ tag: "%" })]).toEqual([
				["fb_4", "fb_1"],
				["fb_1"],
				[],
			]);
			expect([await list({ since: 2, until: 4 }), await list({ since: 5 })]).toEqual([["fb_3", "fb_2"], []]);
			expect(await list({ rating: "down", agent: "desk", tag: "old", since: 4, until: 5 })).toEqual(["fb_4"]);
		});

		it("finds an answer as it was stored", async () => {
			const { feedback } = open();
			const answer = { id: "ans_1", asked_by: "ck_1", created_at: 1, content: toRatedContent("?") };
			await feedback.insertAnswer(answer);
			expect(await feedback.findAnswer("ans_1")).toEqual(answer);
			expect(await feedback.findAnswer("ans_2")).toBeUndefined();
			await feedback.insertAnswer({ ...answer, id: "ans_2" }, "msg_of_a_deleted_thread");
			expect(await feedback.findAnswer("ans_2")).toBeUndefined();
		});
	});
}
