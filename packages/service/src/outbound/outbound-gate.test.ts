import { networkInterfaces } from "node:os";
import { setTimeout } from "node:timers/promises";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BlockedAddressError } from "./blocked-address-error";
import { parseOutboundAllow } from "./outbound-allow";
import { createOutboundGate, type OutboundGate } from "./outbound-gate";
import { createTestLookup } from "./test-support/test-lookup";
import { startTestTarget, type TestTarget } from "./test-support/test-target";
import { watchConnections } from "./test-support/watch-connections";

const PUBLIC = "93.184.216.34";

const NAMES = {
	"public.example": [[PUBLIC]],
	"private.example": [["10.1.2.3"]],
	"loopback.example": [["127.0.0.1"]],
	"loopback6.example": [["::1"]],
	"mapped.example": [["::ffff:127.0.0.1"]],
	"nat64.example": [["64:ff9b::7f00:1"]],
	"metadata.example": [["169.254.169.254"]],
	"link-local.example": [["fe80::1%lo"]],
	"azure.example": [["168.63.129.16"]],
	"mixed.example": [[PUBLIC, "127.0.0.1"]],
	"mixed-order.example": [["127.0.0.1", PUBLIC]],
	"mixed6.example": [["2606:4700::1111", "::1"]],
	"unspecified.example": [["0.0.0.0"]],
	"nonsense.example": [["not an address"]],
	"rebinding.example": [[PUBLIC], ["127.0.0.1"]],
	"opened.example": [["127.0.0.1"], ["169.254.169.254"]],
	"router.lan": [["192.168.1.1"]],
	"gpu.internal": [["10.1.2.3"]],
	"liar.internal": [[PUBLIC]],
	ollama: [["172.17.0.2"]],
	localhost: [["127.0.0.1", "::1"]],
	"app.localhost": [["127.0.0.1"]],
	"a.gpu.internal": [["10.1.2.3"]],
};

let target: TestTarget;
let watched: ReturnType<typeof watchConnections>;
const gates: OutboundGate[] = [];
beforeAll(async () => {
	target = await startTestTarget();
});
beforeEach(() => {
	watched = watchConnections();
});
afterEach(async () => {
	watched.end();
	await Promise.all(gates.splice(0).map((gate) => gate.close()));
});
afterAll(() => target.close());

function createGate(allow: readonly string[] = [], { allowLoopback = false, names = NAMES as object } = {}) {
	const { lookup, lookups } = createTestLookup({ ...names });
	const gate = createOutboundGate({ allow: parseOutboundAllow(allow), allowLoopback, lookup });
	gates.push(gate);
	return { gate, lookups };
}

const withPort = (url: string): string => url.replaceAll("PORT", String(target.port));

const catchError = async (call: Promise<unknown>): Promise<unknown> => {
	try {
		await call;
	} catch (error) {
		return error;
	}
	return undefined;
};

/** Fails unless it is refused by both doors, and nobody hears of it. */
async function expectRefused(gate: OutboundGate, url: string, reason: string): Promise<void> {
	const before = target.connections();
	const init = { method: "POST", body: "{}", headers: { authorization: "Bearer sk-1" } };
	const errors = [await catchError(gate.fetch(url, init)), await catchError(gate.check(url))];
	for (const error of errors) {
		expect(error).toBeInstanceOf(BlockedAddressError);
		expect(error).toMatchObject({ code: "blocked_address", reason });
	}
	expect(watched.attempts).toEqual([]);
	expect(target.connections()).toBe(before);
}

/** All reach this machine: see the test of them without the gate. */
const LOOPBACK = [
	"http://127.0.0.1:PORT/",
	"http://127.1:PORT/",
	"http://127.0.1:PORT/",
	"http://2130706433:PORT/",
	"http://0x7f000001:PORT/",
	"http://0x7f.1:PORT/",
	"http://0x7f.0.0.1:PORT/",
	"http://0177.0.0.1:PORT/",
	"http://017700000001:PORT/",
	"http://0177.1:PORT/",
	"http://127.0.0.1.:PORT/",
	"http://127.255.255.254:PORT/",
	"http://１２７.０.０.１:PORT/",
	"http://①②⑦.⓪.⓪.①:PORT/",
	"http://127。0。0。1:PORT/",
	"http://%31%32%37.0.0.1:PORT/",
	"HTTP://127.0.0.1:PORT/",
	"  http://127.0.0.1:PORT/  ",
	"ht\ntp://127.0.\t0.1:PORT/",
	"http:127.0.0.1:PORT/",
	"http:\\\\127.0.0.1:PORT\\",
	"http:////127.0.0.1:PORT/",
	"http://127.0.0.1:PORT#@public.example/",
	"http://127.0.0.1:PORT?@public.example/",
	"http://127.0.0.1:PORT\\@public.example/",
	"http://0.0.0.0:PORT/",
	"http://0:PORT/",
	"http://[::1]:PORT/",
	"http://[0:0:0:0:0:0:0:1]:PORT/",
	"http://[0000::0001]:PORT/",
	"http://[::]:PORT/",
	"http://[::ffff:127.0.0.1]:PORT/",
	"http://[::ffff:7f00:1]:PORT/",
	"http://[0:0:0:0:0:FFFF:7F00:0001]:PORT/",
	"http://[::ffff:0.0.0.0]:PORT/",
	"http://localhost:PORT/",
	"http://LOCALHOST:PORT/",
	"http://ｌocalhost:PORT/",
];

const NOT_PUBLIC = [
	// Networks of one's own.
	"http://10.0.0.1/",
	"http://10.255.255.255/",
	"http://10.0.0.1:25/",
	"http://0xa.1/",
	"http://172.16.0.1/",
	"http://172.31.255.255/",
	"http://192.168.0.1/",
	"http://192.168.1/",
	"http://3232235777/",
	"http://100.64.0.1/",
	"http://100.127.255.255/",
	"http://[fc00::1]/",
	"http://[fdff:ffff::1]/",
	// Link-local and metadata.
	"http://169.254.169.254/latest/meta-data/",
	"http://2852039166/",
	"http://0xa9fea9fe/",
	"http://0251.0376.0251.0376/",
	"http://169.254.43518/",
	"https://169.254.170.2/",
	"http://169.254.0.1/",
	"http://[::ffff:a9fe:a9fe]/",
	"http://[::ffff:169.254.169.254]/",
	"http://[::a9fe:a9fe]/",
	"http://[64:ff9b::a9fe:a9fe]/",
	"http://[fe80::1]/",
	"http://[febf::1]/",
	"http://[fd00:ec2::254]/",
	"http://[fd00:ec2::23]/",
	"http://[fd20:ce::254]/",
	"http://100.100.100.200/",
	"http://168.63.129.16/",
	"http://[::ffff:168.63.129.16]/",
	"http://[64:ff9b::168.63.129.16]/",
	"http://192.0.0.192/",
	"http://metadata.google.internal/",
	"http://METADATA.google.internal./",
	"http://metadata.goog/",
	"http://metadata/",
	// Reserved.
	"http://0.1.2.3/",
	"http://192.0.0.1/",
	"http://192.0.2.1/",
	"http://192.88.99.1/",
	"http://198.18.0.1/",
	"http://198.19.255.255/",
	"http://198.51.100.1/",
	"http://203.0.113.1/",
	"http://224.0.0.1/",
	"http://240.0.0.1/",
	"http://255.255.255.255/",
	"http://[::2]/",
	"http://[100::1]/",
	"http://[2001:db8::1]/",
	"http://[3fff::1]/",
	"http://[5f00::1]/",
	"http://[4000::1]/",
	"http://[fec0::1]/",
	"http://[ff02::1]/",
	// IPv4 within IPv6.
	"http://[::127.0.0.1]/",
	"http://[::8.8.8.8]/",
	"http://[::ffff:0:127.0.0.1]/",
	"http://[64:ff9b::10.0.0.1]/",
	"http://[64:ff9b:1::10.0.0.1]/",
	"http://[64:ff9b:1::8.8.8.8]/",
	"http://[2002:7f00:1::]/",
	"http://[2002:a00:1::1]/",
	"http://[2002:808:808::1]/",
	"http://[2001:0:a00:1::]/",
	"http://[2001:0:808:808:0:0:80ff:fffe]/",
	"http://[2606:4700::5efe:10.0.0.1]/",
	"http://[2606:4700::200:5efe:169.254.169.254]/",
	// Names.
	"http://localhost.:PORT/",
	"http://app.localhost:PORT/",
	"http://app.localhost.:PORT/",
	"http://gpu.internal/",
	"http://liar.internal/",
	"http://printer.local/",
	"http://nas.home.arpa/",
	"http://ollama:11434/",
	"http://private.example/",
	"http://PRIVATE.example./",
	"http://loopback.example:PORT/",
	"https://loopback.example:PORT/",
	"http://loopback6.example:PORT/",
	"http://mapped.example:PORT/",
	"http://nat64.example:PORT/",
	"http://metadata.example/",
	"http://link-local.example:PORT/",
	"http://azure.example/",
	"http://mixed.example:PORT/",
	"http://mixed-order.example:PORT/",
	"http://mixed6.example:PORT/",
	"http://unspecified.example:PORT/",
	"http://nonsense.example:PORT/",
	"http://router.lan/",
];

const MALFORMED = [
	"",
	"example.com",
	"//127.0.0.1:PORT/",
	"http://",
	"http:///",
	"https://.",
	"ftp://127.0.0.1:PORT/",
	"file:///etc/passwd",
	"gopher://127.0.0.1:PORT/_GET",
	"data:text/plain,hello",
	"blob:http://127.0.0.1:PORT/1",
	"ws://127.0.0.1:PORT/",
	"unix:/var/run/docker.sock",
	"javascript:0",
	"http://user@127.0.0.1:PORT/",
	"http://user:word@public.example/",
	"http://:word@public.example/",
	"http://public.example@127.0.0.1:PORT/",
	"http://public.example:80@127.0.0.1:PORT/",
	"http://public.example%40127.0.0.1:PORT/",
	"http://127.0.0.1:PORT:80/",
	"http://127.0.0.1:99999/",
	"http://256.0.0.1/",
	"http://1.2.3.4.5/",
	"http://127.0.0.1 .example/",
	"http://127.0.0.1%00.example/",
	"http://[::1%25lo]:PORT/",
	"http://[fe80::1%25eth0]/",
	"http://[::1/",
	"http://[::ffff:127.1]:PORT/",
	"http://[127.0.0.1]/",
];

describe("without anything opened", () => {
	it.each(LOOPBACK)("%j reaches this machine where there is no gate", async (url) => {
		const before = target.requests.length;
		await (await fetch(withPort(url))).text();
		expect(target.requests.length).toBe(before + 1);
	});

	it.each([...LOOPBACK, ...NOT_PUBLIC])("%j is refused before a byte is sent", (url) =>
		expectRefused(createGate().gate, withPort(url), "not_public"),
	);

	it.each(MALFORMED)("%j is no address", (url) =>
		expectRefused(createGate().gate, withPort(url), "malformed"),
	);

	it("refuses the addresses that this machine has", async () => {
		const { gate } = createGate();
		const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
		expect(addresses.length).toBeGreaterThan(0);
		for (const { address, family } of addresses) {
			// A machine may have a public address; what listens there, everybody can reach.
			if (/^(127|10|172|192|169|f[cde]|::1)/i.test(address))
				await expectRefused(
					gate,
					`http://${family === "IPv6" ? `[${address}]` : address}:${target.port}/`,
					"not_public",
				);
		}
	});

	it.each([
		"http://93.184.216.34/",
		"https://1.1.1.1:8443/v1",
		"http://100.63.255.255/",
		"http://100.128.0.0/",
		"http://172.15.255.255/",
		"http://172.32.0.0/",
		"http://168.63.129.17/",
		"http://169.253.255.255/",
		"https://[2606:4700::1111]/",
		"https://[64:ff9b::8.8.8.8]/",
		"https://[::ffff:8.8.8.8]/",
		"https://[2606:4700::5efe:8.8.8.8]/",
		"https://public.example/v1?x#y",
		"https://public.example./",
		"https://localhost.example.com/",
		"https://internal.example.com/",
		"https://not-there.example/",
	])("%s may be called", async (url) => {
		expect(await createGate().gate.check(url)).toBeUndefined();
	});

	it("asks for no name that it refuses by itself", async () => {
		const { gate, lookups } = createGate();
		for (const host of [
			"localhost",
			"a.localhost",
			"gpu.internal",
			"printer.local",
			"ollama",
			"metadata.goog",
		])
			await expectRefused(gate, `http://${host}/`, "not_public");
		expect(lookups).toEqual([]);
		await gate.check("http://public.example/");
		expect(lookups).toEqual(["public.example"]);
	});

	it("tells no more than what was asked for, and the setting", async () => {
		const { gate } = createGate();
		const error = await catchError(gate.fetch("http://private.example/path?key=sk-1"));
		expect(error).toMatchObject({
			message: "private.example cannot be called: it is not a name of the public internet alone.",
			hint: expect.stringContaining("`outbound.allow`"),
		});
		expect(error).not.toHaveProperty("cause");
		const others = ["metadata.example", "azure.example", "mixed.example", "nonsense.example"];
		for (const host of others)
			expect(await catchError(gate.fetch(`http://${host}/`))).toMatchObject({
				message: `${host} cannot be called: it is not a name of the public internet alone.`,
			});
		const secret = await catchError(gate.fetch("http://user:sk-1@public.example/"));
		expect(JSON.stringify(secret)).not.toContain("sk-1");
	});
});

describe("names that change", () => {
	it("are checked with the answer that is connected to", async () => {
		const { gate, lookups } = createGate();
		await gate.check(withPort("http://rebinding.example:PORT/"));
		const before = target.connections();
		const error = await catchError(gate.fetch(withPort("http://rebinding.example:PORT/")));
		expect(error).toBeInstanceOf(BlockedAddressError);
		expect([watched.attempts, target.connections(), lookups.length]).toEqual([[], before, 2]);
	});

	it("are asked for once a connection", async () => {
		const { gate, lookups } = createGate(["127.0.0.1"]);
		const url = withPort("http://opened.example:PORT/");
		const first = await gate.fetch(url);
		expect([await first.text(), lookups.length]).toEqual(["hello", 1]);
		expect(watched.attempts).toEqual([`127.0.0.1 ${target.port}`]);
		// Over the connection that was checked, once it is free again.
		await setTimeout(50);
		expect(await (await gate.fetch(url)).text()).toBe("hello");
		expect(lookups.length).toBe(1);
		await setTimeout(50);
		// The second of two at once needs another connection.
		const answers = await Promise.allSettled([gate.fetch(url), gate.fetch(url)]);
		expect(answers.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
		expect(lookups.length).toBe(2);
		expect(watched.attempts.length).toBe(1);
	});
});

describe("what an operator opens", () => {
	const open = async (allow: readonly string[], url: string, allowLoopback = false): Promise<boolean> => {
		const error = await catchError(createGate(allow, { allowLoopback }).gate.check(url));
		if (error !== undefined && !BlockedAddressError.is(error)) throw error;
		return error === undefined;
	};

	it.each([
		[["private"], "http://10.0.0.1/"],
		[["private"], "http://192.168.1.1:8080/"],
		[["private"], "http://172.16.0.1/"],
		[["private"], "http://100.64.0.1/"],
		[["private"], "http://[fd12::1]/"],
		[["private"], "http://127.0.0.1:11434/"],
		[["private"], "http://[::1]:11434/"],
		[["private"], "http://localhost:11434/"],
		[["private"], "http://gpu.internal/"],
		[["private"], "http://ollama:11434/"],
		[["private"], "http://[::ffff:10.0.0.1]/"],
		[["private"], "http://private.example/"],
		[["10.0.0.0/8"], "http://10.255.0.1/"],
		[["10.0.0.0/8"], "http://private.example/"],
		[["10.0.0.0/8"], "http://gpu.internal/"],
		[["10.1.2.3"], "http://gpu.internal:9/"],
		[["10.1.2.3:11434"], "http://10.1.2.3:11434/"],
		[["10.1.2.3:11434"], "http://private.example:11434/"],
		[["10.1.2.3:443"], "https://private.example/"],
		[["127.0.0.1"], "http://127.1/"],
		[["::1"], "http://[::1]/"],
		[["[::1]:11434"], "http://[::1]:11434/"],
		[["fd12::/16"], "http://[fd12:3::1]/"],
		[["198.18.0.0/15"], "http://198.18.0.1/"],
		[["64:ff9b:1::/48"], "http://[64:ff9b:1::10.0.0.1]/"],
		[["0.0.0.0/0"], "http://192.168.0.1/"],
		[["gpu.internal"], "http://gpu.internal:8000/"],
		[["GPU.Internal."], "http://gpu.internal./"],
		[["private.example:8000"], "http://private.example:8000/"],
		[["mixed.example"], "http://mixed.example/"],
		[["localhost"], "http://localhost:11434/"],
		[["ollama"], "http://ollama:11434/"],
		[["10.0.0.0/8", "ollama"], "http://ollama:11434/"],
	])("%j opens %s, which is closed else", async (allow, url) => {
		expect([await open([], url), await open(allow, url)]).toEqual([false, true]);
	});

	it.each([
		[["private"], "http://198.18.0.1/"],
		[["private"], "http://[2002:a00:1::]/"],
		[["private"], "http://[64:ff9b::10.0.0.1]/"],
		[["private"], "http://liar.internal/"],
		[["10.0.0.0/8"], "http://192.168.0.1/"],
		[["10.0.0.0/8"], "http://127.0.0.1/"],
		[["10.0.0.0/8"], "http://liar.internal/"],
		[["10.1.2.3"], "http://10.1.2.4/"],
		[["10.1.2.3:11434"], "http://10.1.2.3:11435/"],
		[["10.1.2.3:11434"], "http://10.1.2.3/"],
		[["10.1.2.3:11434"], "http://private.example/"],
		[["127.0.0.1"], "http://127.0.0.2/"],
		[["127.0.0.1"], "http://[::1]/"],
		[["127.0.0.1"], "http://localhost/"],
		[["127.0.0.1"], "http://mixed6.example/"],
		[["gpu.internal"], "http://10.1.2.3/"],
		[["gpu.internal"], "http://private.example/"],
		[["gpu.internal"], "http://a.gpu.internal/"],
		[["private.example:8000"], "http://private.example:8001/"],
		[["example"], "http://private.example/"],
		[["localhost"], "http://127.0.0.1/"],
		[["localhost"], "http://app.localhost/"],
		[["private.example"], "http://metadata.example/"],
	])("%j does not open %s", async (allow, url) => {
		const { gate } = createGate(allow);
		expect(await catchError(gate.check(url))).toBeInstanceOf(BlockedAddressError);
	});

	const EVERYTHING = [
		"private",
		"0.0.0.0/0",
		"::/0",
		"metadata.example",
		"link-local.example",
		"azure.example",
		"unspecified.example",
	];

	it.each([
		"http://169.254.169.254/",
		"http://169.254.0.1/",
		"http://[::ffff:a9fe:a9fe]/",
		"http://[::a9fe:a9fe]/",
		"http://[64:ff9b::a9fe:a9fe]/",
		"http://[64:ff9b:1::a9fe:a9fe]/",
		"http://[64:ff9b:1:a83f:81:1000::]/",
		"http://[64:ff9b:1:a8:3f:8110::]/",
		"http://[64:ff9b:1:0:a8:3f81:1000:0]/",
		"http://[2002:a9fe:a9fe::]/",
		"http://[2001::5601:5601]/",
		"http://[fd00::5efe:169.254.169.254]/",
		"http://[fe80::1]/",
		"http://[fd00:ec2::254]/",
		"http://[fd00:ec2::23]/",
		"http://[fd20:ce::254]/",
		"http://[fd00:42::42]/",
		"http://100.100.100.200/",
		"http://168.63.129.16/",
		"http://192.0.0.192/",
		"http://0.0.0.0:PORT/",
		"http://[::]:PORT/",
		"http://224.0.0.1/",
		"http://255.255.255.255/",
		"http://metadata.google.internal/",
		"http://metadata.goog./",
		"http://metadata.example/",
		"http://link-local.example/",
		"http://azure.example/",
		"http://unspecified.example:PORT/",
	])("nothing opens %s", (url) =>
		expectRefused(createGate(EVERYTHING, { allowLoopback: true }).gate, withPort(url), "not_public"),
	);

	it.each([
		["http://127.0.0.1/", true],
		["http://127.8.9.10:11434/", true],
		["http://[::1]/", true],
		["http://[::ffff:127.0.0.1]/", true],
		["http://localhost:11434/", true],
		["http://LOCALHOST./", true],
		["http://0.0.0.0/", false],
		["http://[::127.0.0.1]/", false],
		["http://[64:ff9b::127.0.0.1]/", false],
		["http://10.0.0.1/", false],
		["http://[fd00::1]/", false],
		["http://gpu.internal/", false],
		["http://liar.internal/", false],
		["http://private.example/", false],
		["http://169.254.169.254/", false],
		["http://metadata.google.internal/", false],
	])("a service of loopback alone: %s may be called: %s", async (url, expected) => {
		expect(await open([], url, true)).toBe(expected);
	});

	it.each([["private"], ["127.0.0.0/8"], ["localhost"], ["localhost:PORT"]])(
		"%s lets calls through to localhost",
		async (entry) => {
			const names = { localhost: [["127.0.0.1"]] };
			const { gate } = createGate([withPort(entry)], { names });
			expect(await (await gate.fetch(withPort("http://localhost:PORT/"))).text()).toBe("hello");
		},
	);

	it("uses the lookup of the system where there is no other", async () => {
		const gate = createOutboundGate({ allow: parseOutboundAllow([]), allowLoopback: true });
		gates.push(gate);
		expect(await (await gate.fetch(withPort("http://localhost:PORT/"))).text()).toBe("hello");
		const closed = createOutboundGate({ allow: parseOutboundAllow([]), allowLoopback: false });
		gates.push(closed);
		await expect(closed.fetch(withPort("http://127.0.0.1:PORT/"))).rejects.toThrow(BlockedAddressError);
	});
});

describe("by law", () => {
	const byte = fc.integer({ min: 0, max: 255 });
	const four = fc.tuple(byte, byte, byte, byte);
	const toSpellings = [
		(bytes: number[]) => bytes.join("."),
		(bytes: number[]) => String(toNumber(bytes)),
		(bytes: number[]) => `0x${toNumber(bytes).toString(16)}`,
		(bytes: number[]) => `0${toNumber(bytes).toString(8)}`,
		(bytes: number[]) => bytes.map((one) => `0x${one.toString(16)}`).join("."),
		(bytes: number[]) => bytes.map((one) => `0${one.toString(8)}`).join("."),
		([a = 0, b = 0, c = 0, d = 0]: number[]) => `${a}.${b}.${c * 256 + d}`,
		([a = 0, b = 0, c = 0, d = 0]: number[]) => `${a}.${(b * 256 + c) * 256 + d}`,
		(bytes: number[]) =>
			bytes.join(".").replace(/\d/g, (digit) => "０１２３４５６７８９"[Number(digit)] ?? ""),
		(bytes: number[]) => `[::ffff:${bytes.join(".")}]`,
		(bytes: number[]) => `[0:0:0:0:0:ffff:${toHex(bytes)}]`,
	];
	const toNumber = (bytes: readonly number[]): number => bytes.reduce((sum, one) => sum * 256 + one, 0);
	const toHex = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): string =>
		`${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;

	/** Half of them anywhere, half near the ends of what is not public. */
	const notable = fc.oneof(
		four,
		fc
			.constantFrom(
				[0, 0, 0, 0],
				[10, 0, 0, 0],
				[11, 0, 0, 0],
				[100, 64, 0, 0],
				[100, 128, 0, 0],
				[127, 0, 0, 0],
				[128, 0, 0, 0],
				[168, 63, 129, 16],
				[169, 254, 169, 254],
				[172, 16, 0, 0],
				[172, 32, 0, 0],
				[192, 168, 0, 0],
				[192, 169, 0, 0],
				[224, 0, 0, 0],
			)
			.chain((bytes) =>
				fc.integer({ min: -2, max: 2 }).map((step) => {
					const near = (toNumber(bytes) + step + 2 ** 32) % 2 ** 32;
					return [near >>> 24, (near >>> 16) & 255, (near >>> 8) & 255, near & 255];
				}),
			),
	);

	const isOpen = async (gate: OutboundGate, host: string): Promise<boolean> =>
		(await catchError(gate.check(`http://${host}/`))) === undefined;

	it("all spellings of an IPv4 address are one", async () => {
		const { gate } = createGate();
		const opened = createGate(["private"]).gate;
		await fc.assert(
			fc.asyncProperty(notable, async (bytes) => {
				for (const one of [gate, opened]) {
					const verdicts = await Promise.all(toSpellings.map((write) => isOpen(one, write(bytes))));
					expect(new Set(verdicts).size).toBe(1);
				}
			}),
			{ numRuns: 300 },
		);
	});

	it("an IPv6 address that carries an IPv4 address which is closed is closed", async () => {
		const { gate } = createGate();
		const everything = createGate(["private", "0.0.0.0/0", "::/0"], { allowLoopback: true }).gate;
		const carriers = (bytes: number[]): string[] => [
			`[::${toHex(bytes)}]`,
			`[::ffff:${toHex(bytes)}]`,
			`[::ffff:0:${toHex(bytes)}]`,
			`[64:ff9b::${toHex(bytes)}]`,
			`[64:ff9b:1::${toHex(bytes)}]`,
			`[2002:${toHex(bytes)}::1]`,
			`[2001:0:${toHex(bytes)}::]`,
			`[2001::${toHex(bytes.map((one) => one ^ 255))}]`,
			`[2606:4700::5efe:${toHex(bytes)}]`,
			`[2606:4700::200:5efe:${toHex(bytes)}]`,
		];
		await fc.assert(
			fc.asyncProperty(notable, async (bytes) => {
				const [isPublic, isOpened] = [
					await isOpen(gate, bytes.join(".")),
					await isOpen(everything, bytes.join(".")),
				];
				for (const host of carriers(bytes)) {
					if (!isPublic) expect([host, await isOpen(gate, host)]).toEqual([host, false]);
					// What is no single host is closed by itself alone.
					const isHost = bytes[0] !== 0 && (bytes[0] ?? 0) < 224;
					if (!isOpened && isHost) expect([host, await isOpen(everything, host)]).toEqual([host, false]);
				}
			}),
			{ numRuns: 300 },
		);
	});
});
