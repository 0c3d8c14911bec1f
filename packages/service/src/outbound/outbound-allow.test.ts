import { ConfigurationError } from "@stemma/core/errors";
import { expect, it } from "vitest";
import { findAllowProblem, type OutboundAllow, parseOutboundAllow } from "./outbound-allow";

/** What was understood, as one writes it. */
function describeAllow({ allowsPrivate, networks, hosts }: OutboundAllow): string {
	const toPort = ({ port }: { readonly port?: number | undefined }): string =>
		port === undefined ? "" : ` port ${port}`;
	return [
		...(allowsPrivate ? ["private"] : []),
		...networks.map((one) => `${one.network.address}/${one.network.prefix}${toPort(one)}`),
		...hosts.map((one) => `host ${one.host}${toPort(one)}`),
	].join(", ");
}

it.each([
	["private", "private"],
	["Private", "private"],
	["10.0.0.5", "10.0.0.5/32"],
	["10.0.0.5:11434", "10.0.0.5/32 port 11434"],
	["10.0.0.0/8", "10.0.0.0/8"],
	["10.0.0.5/32", "10.0.0.5/32"],
	["0.0.0.0/0", "0.0.0.0/0"],
	["100.64.0.0/10", "100.64.0.0/10"],
	["fd00::5", "fd00::5/128"],
	["[fd00::5]", "fd00::5/128"],
	["[FD00::5]:11434", "fd00::5/128 port 11434"],
	["fd00::/8", "fd00::/8"],
	["::/0", "::/0"],
	["fe00::/8", "fe00::/8"],
	["::ffff:10.0.0.5", "10.0.0.5/32"],
	["ollama", "host ollama"],
	["ollama:11434", "host ollama port 11434"],
	["Ollama.Lan.:80", "host ollama.lan port 80"],
	["gpu_1.corp.example", "host gpu_1.corp.example"],
	["bücher.example:65535", "host xn--bcher-kva.example port 65535"],
	["host.docker.internal", "host host.docker.internal"],
])("%s opens %s", (entry, expected) => {
	expect(describeAllow(parseOutboundAllow([entry]))).toBe(expected);
	expect(findAllowProblem(entry)).toBeUndefined();
});

it("keeps all entries", () => {
	const entries = ["ollama", "private", "10.0.0.1", "fd00::/8"];
	expect(describeAllow(parseOutboundAllow(entries))).toBe("private, 10.0.0.1/32, fd00::/8, host ollama");
	expect(parseOutboundAllow([])).toEqual({ allowsPrivate: false, networks: [], hosts: [] });
});

it.each([
	"",
	" ",
	"*",
	"*.example.com",
	"http://ollama.lan",
	"ollama.lan?x",
	"ollama%2elan",
	"olla\tma",
	"ollama.lan/v1",
	"user@ollama.lan",
	"ollama.lan:",
	"ollama.lan:0",
	"ollama.lan:65536",
	"ollama.lan:http",
	"ollama..lan",
	"-ollama",
	"my host",
	"10.0.0.0/33",
	"10.0.0.0/",
	"10.0.0.0/-1",
	"10.0.0.0/8/8",
	"10.0.0.0/8:80",
	"10.0.0.5/8",
	"10/8",
	"10.1",
	"010.0.0.1",
	"0xa.0.0.1",
	"167772161",
	"256.0.0.1",
	"[10.0.0.1]:80x",
	"fd00::5/8",
	"fd00::/129",
	"fd00::5:5:5:5:5:5:5:5",
	"[fd00::5",
	"[ollama]",
	"[10.0.0.0/8]:80",
	"fd00::5%eth0",
	"::ffff:10.0.0.0/104",
	"ollama.lan,10.0.0.1",
])("%j is refused, with what is expected", (entry) => {
	let error: unknown;
	try {
		parseOutboundAllow(["private", entry]);
	} catch (thrown) {
		error = thrown;
	}
	expect(error).toBeInstanceOf(ConfigurationError);
	expect(error).toMatchObject({
		message: `\`outbound.allow[1]\` is ${entry.includes("@") ? "an entry with user info" : JSON.stringify(entry)}, which is neither a host nor an address nor a range.`,
		hint: expect.stringContaining('"10.0.0.0/8"'),
	});
	expect(findAllowProblem(entry)?.problem).toContain("is neither a host");
});

it.each([
	"169.254.169.254",
	"169.254.169.254:80",
	"169.254.0.0/16",
	"169.254.170.0/24",
	"::ffff:169.254.169.254",
	"fe80::/10",
	"fe80::1",
	"[fe80::1]:80",
	"fd00:ec2::254",
	"fd00:ec2::/64",
	"100.100.100.200",
	"168.63.129.16/32",
	"metadata.google.internal",
	"METADATA.google.internal.:80",
])("%s is refused, since it stays closed", (entry) => {
	expect(() => parseOutboundAllow([entry])).toThrow(
		`\`outbound.allow[0]\` is "${entry}", which is never opened`,
	);
});
