import { type AgentNode, defineAgent } from "@stemma/core";
import { expect, it } from "vitest";
import { BlockedAddressError } from "../outbound/blocked-address-error";
import { checkAddresses } from "./check-addresses";

const refuse = (): never => {
	throw new BlockedAddressError("not_public", "It cannot be called.");
};

const toGraph = (addresses: readonly string[]) =>
	defineAgent({
		nodes: [
			{ id: "desk", kind: "coordinator" },
			...addresses.map(
				(address, index): AgentNode =>
					index % 2 === 0
						? { id: `n${index}`, kind: "tool", tool: "look", server: address }
						: { id: `n${index}`, kind: "remote", url: address },
			),
		],
	});

it("asks for each address once, a few at a time", async () => {
	const checkedUrls: string[] = [];
	let [now, maxInFlight] = [0, 0];
	const check = async (address: string): Promise<void> => {
		checkedUrls.push(address);
		maxInFlight = Math.max(maxInFlight, ++now);
		await new Promise((resolve) => setTimeout(resolve, 5));
		now -= 1;
	};
	const addresses = Array.from({ length: 60 }, (_, index) => `https://${index % 30}.example/mcp`);
	await checkAddresses(toGraph(addresses), { check, canSeeAddresses: true });
	expect([...checkedUrls].sort()).toEqual([...new Set(addresses)].sort());
	expect(maxInFlight).toBe(8);
});

it("names the first node in the document, whichever is known first", async () => {
	const check = async (address: string): Promise<void> => {
		if (address.includes("slow")) await new Promise((resolve) => setTimeout(resolve, 30));
		if (!address.includes("fine")) refuse();
	};
	const graph = toGraph(["https://fine.example", "https://slow.example", "https://quick.example"]);
	await expect(checkAddresses(graph, { check, canSeeAddresses: true })).rejects.toMatchObject({
		code: "blocked_address",
		param: "graph.nodes[2].url",
	});
});

it("waits for no name for long, and passes over what is not known by then", async () => {
	const checkedUrls: string[] = [];
	const check = (address: string): Promise<void> => {
		checkedUrls.push(address);
		return new Promise(() => undefined);
	};
	const silent = Array.from({ length: 20 }, (_, index) => `https://${index}.example`);
	await checkAddresses(toGraph(silent), { check, canSeeAddresses: true, timeoutMs: 50 });
	expect(checkedUrls).toHaveLength(8);
});

it("leaves other failures to the call", async () => {
	const check = () => Promise.reject(new Error("The name server is down."));
	await checkAddresses(toGraph(["https://a.example"]), { check, canSeeAddresses: true });
});
