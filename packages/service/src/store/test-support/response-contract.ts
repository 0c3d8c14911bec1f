import { describe, expect, it } from "vitest";
import type {
	ResponseOutcome,
	ResponseRepository,
	StoredResponse,
} from "../../responses/repositories/response-repository";

const completed = (text: string): ResponseOutcome => ({
	status: "completed",
	reply: { text, toolCalls: [], finishReason: "stop" },
});

const toStored = (id: string, parts: Partial<StoredResponse> = {}): StoredResponse => ({
	id,
	owner: "cl_1",
	parent_id: null,
	background: false,
	created_at: 1000,
	head: { id, metadata: { page: "1" } },
	input: [{ type: "message", role: "user", content: `Question of ${id}?` }],
	outcome: completed(`Answer of ${id}.`),
	...parts,
});

const toTurn = ({ input, outcome }: StoredResponse) => ({ input, outcome });

const MAX_BYTES = 1_000_000;

/** Contract that each store of responses keeps. @param open - an empty one. */
export function describeResponseRepository(open: () => ResponseRepository): void {
	async function openWith(...responses: readonly StoredResponse[]): Promise<ResponseRepository> {
		const repository = open();
		for (const response of responses) await repository.insert(response);
		return repository;
	}

	describe("a repository of responses", () => {
		it("finds responses as they were stored, for their owner alone", async () => {
			const stored = toStored("resp_1", { background: true });
			const repository = await openWith(stored, toStored("resp_2", { owner: "cl_2" }));
			expect(await repository.find("cl_1", "resp_1")).toEqual(stored);
			expect(await repository.find("cl_1", "resp_2")).toBeUndefined();
			expect(await repository.find("cl_1", "resp_3")).toBeUndefined();
		});

		it("lists replies of completed responses of their owner, unless they are too large together", async () => {
			const repository = await openWith(
				...[toStored("resp_1"), toStored("resp_2"), toStored("resp_3", { owner: "cl_2" })],
				toStored("resp_4", { outcome: { status: "cancelled" } }),
			);
			const ids = ["resp_1", "resp_2", "resp_3", "resp_4", "resp_5"];
			const listed = await repository.listReplies("cl_1", ids, MAX_BYTES);
			expect([...(listed ?? [])].map(([id, { text }]) => [id, text])).toEqual([
				["resp_1", "Answer of resp_1."],
				["resp_2", "Answer of resp_2."],
			]);
			expect(await repository.listReplies("cl_1", ids, 100)).toBeUndefined();
		});

		it("lists those that a response goes on from, the first one first, and none beside them", async () => {
			const [first, second, third, sibling] = [
				toStored("resp_1"),
				toStored("resp_2", { parent_id: "resp_1" }),
				toStored("resp_3", { parent_id: "resp_2" }),
				toStored("resp_4", { parent_id: "resp_1" }),
			];
			const repository = await openWith(first, second, third, sibling);
			const whole = { missingId: undefined, isTooLarge: false };
			expect(await repository.listChain("cl_1", "resp_3", MAX_BYTES)).toEqual({
				...whole,
				responses: [first, second, third].map(toTurn),
			});
			expect((await repository.listChain("cl_1", "resp_4", MAX_BYTES)).responses).toEqual([
				toTurn(first),
				toTurn(sibling),
			]);
			expect(await repository.listChain("cl_2", "resp_3", MAX_BYTES)).toEqual({ ...whole, responses: [] });
		});

		it("says which response a chain lacks, and where it is too large", async () => {
			const repository = await openWith(toStored("resp_1"), toStored("resp_2", { parent_id: "resp_1" }));
			const largeChain = { responses: [], missingId: undefined, isTooLarge: true };
			expect(await repository.listChain("cl_1", "resp_2", 10)).toEqual(largeChain);
			expect(await repository.listChain("cl_1", "resp_1", 10)).toEqual(largeChain);
			await repository.delete("cl_1", "resp_1");
			expect(await repository.listChain("cl_1", "resp_2", MAX_BYTES)).toMatchObject({
				missingId: "resp_1",
				isTooLarge: false,
			});
		});

		it("ends a chain whose parents form a circle", async () => {
			const repository = await openWith(
				toStored("resp_1", { parent_id: "resp_2" }),
				toStored("resp_2", { parent_id: "resp_1" }),
			);
			expect(await repository.listChain("cl_1", "resp_2", 2000)).toMatchObject({ isTooLarge: true });
		});

		it("ends a response that is in progress once", async () => {
			const repository = await openWith(toStored("resp_1", { outcome: { status: "in_progress" } }));
			const cancelled: ResponseOutcome = { status: "cancelled" };
			expect(await repository.finish("resp_1", cancelled)).toBe(true);
			expect(await repository.finish("resp_1", completed("Late."))).toBe(false);
			expect((await repository.find("cl_1", "resp_1"))?.outcome).toEqual(cancelled);
			expect(await repository.finish("resp_2", cancelled)).toBe(false);
		});

		it("ends all that a crash has cut off", async () => {
			const ended = toStored("resp_1");
			const repository = await openWith(ended, toStored("resp_2", { outcome: { status: "in_progress" } }));
			const failed: ResponseOutcome = {
				status: "failed",
				error: { code: "interrupted", message: "It stopped." },
			};
			await repository.finishAll(failed);
			const found = [await repository.find("cl_1", "resp_1"), await repository.find("cl_1", "resp_2")];
			expect(found.map((response) => response?.outcome)).toEqual([ended.outcome, failed]);
		});

		it("deletes a response of its owner", async () => {
			const repository = await openWith(toStored("resp_1"));
			expect(await repository.delete("cl_2", "resp_1")).toBe(false);
			expect(await repository.delete("cl_1", "resp_1")).toBe(true);
			expect(await repository.find("cl_1", "resp_1")).toBeUndefined();
		});
	});
}
