import { describe, expect, it } from "vitest";
import { createClientPool } from "./client-pool";

interface Named {
	readonly name: string;
	isClosed: boolean;
}

function usePool(maxClients?: number) {
	const made: Named[] = [];
	const pool = createClientPool<Named>({
		async create(url, secret) {
			if (url === "bad" && made.length === 0) {
				made.push({ name: "bad", isClosed: false });
				throw new Error("not reached");
			}
			const client = { name: `${url} ${secret}`, isClosed: false };
			made.push(client);
			return client;
		},
		close: (client) => {
			client.isClosed = true;
		},
		...(maxClients === undefined ? {} : { maxClients }),
	});
	const nameOf = (url: string, secret?: string) => pool.use(url, secret, async ({ name }) => name);
	return { pool, made, nameOf };
}

describe("a pool of clients", () => {
	it("makes one for each server and secret", async () => {
		const { made, nameOf } = usePool();
		await Promise.all([nameOf("a"), nameOf("a"), nameOf("a", "s"), nameOf("a", "t"), nameOf("b")]);
		expect(made.map(({ name }) => name)).toEqual(["a undefined", "a s", "a t", "b undefined"]);
	});

	it("closes the one that was not used for longest, and makes it anew", async () => {
		const { made, nameOf } = usePool(2);
		for (const url of ["a", "b", "a", "c"]) await nameOf(url);
		await expect
			.poll(() => made.map(({ name, isClosed }) => [name, isClosed]))
			.toEqual([
				["a undefined", false],
				["b undefined", true],
				["c undefined", false],
			]);
		await nameOf("b");
		expect(made).toHaveLength(4);
	});

	it("closes what is in use when it is not any more", async () => {
		const { pool, made } = usePool();
		let end: (() => void) | undefined;
		const call = pool.use(
			"a",
			undefined,
			() =>
				new Promise<void>((resolve) => {
					end = resolve;
				}),
		);
		await expect.poll(() => end).toBeDefined();
		pool.close();
		await new Promise((resolve) => setTimeout(resolve, 5));
		expect(made[0]?.isClosed).toBe(false);
		end?.();
		await call;
		await expect.poll(() => made[0]?.isClosed).toBe(true);
	});

	it("keeps no client that could not be made", async () => {
		const { nameOf } = usePool();
		await expect(nameOf("bad")).rejects.toThrow("not reached");
		expect(await nameOf("bad")).toBe("bad undefined");
	});
});
