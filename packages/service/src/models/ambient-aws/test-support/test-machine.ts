import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { vi } from "vitest";
import {
	type ContainerCredentialsOptions,
	startContainerCredentials,
} from "../../../../../../tools/simulators/aws-credentials/container-credentials.ts";
import {
	type InstanceMetadataOptions,
	startInstanceMetadata,
} from "../../../../../../tools/simulators/aws-credentials/instance-metadata.ts";
import type { Issuing } from "../../../../../../tools/simulators/aws-credentials/issued-keys.ts";
import { startSecurityTokenService } from "../../../../../../tools/simulators/aws-credentials/security-token-service.ts";
import type { StandIn } from "../../../../../../tools/simulators/aws-credentials/stand-in.ts";

export const ROLE_ARN = "arn:aws:iam::123456789012:role/stemma";
export const WEB_IDENTITY_TOKEN = "eyJhbGciOiJSUzI1NiJ9.web-identity.signature";
export const CONTAINER_TOKEN = "container-token-0123456789";

/** Nothing listens there: no test may reach the metadata service of the machine that it runs on. */
const NOWHERE = "http://127.0.0.1:9";

/** This process as a machine that has what a test gives it, and none of the credentials that there really are. */
export interface TestMachine {
	set(environment: Readonly<Record<string, string | undefined>>): void;
	/** @returns where in its home it is. */
	write(path: string, text: string): string;
	startMetadata(options?: InstanceMetadataOptions): Promise<StandIn>;
	startContainer(options?: ContainerCredentialsOptions): Promise<StandIn>;
	startSts(options?: Issuing): Promise<StandIn>;
	end(): Promise<void>;
}

export function createTestMachine(): TestMachine {
	const home = mkdtempSync(join(tmpdir(), "stemma-machine-"));
	const started: StandIn[] = [];

	function set(environment: Readonly<Record<string, string | undefined>>): void {
		for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
	}

	function write(path: string, text: string): string {
		const file = join(home, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
		return file;
	}

	async function keep(starting: Promise<StandIn>): Promise<StandIn> {
		const standIn = await starting;
		started.push(standIn);
		return standIn;
	}

	const real = Object.keys(process.env).filter((name) => name.startsWith("AWS_"));
	set(Object.fromEntries(real.map((name) => [name, undefined])));
	set({ HOME: home, AWS_EC2_METADATA_SERVICE_ENDPOINT: NOWHERE });

	return {
		set,
		write,
		async startMetadata(options) {
			const metadata = await keep(startInstanceMetadata(options));
			set({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.origin });
			return metadata;
		},
		async startContainer(options) {
			const container = await keep(startContainerCredentials({ authorization: CONTAINER_TOKEN, ...options }));
			set({
				AWS_CONTAINER_CREDENTIALS_FULL_URI: `${container.origin}/v1/credentials`,
				AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: write("container-token", CONTAINER_TOKEN),
			});
			return container;
		},
		async startSts(options) {
			const sts = await keep(
				startSecurityTokenService({
					roleArn: ROLE_ARN,
					webIdentityToken: WEB_IDENTITY_TOKEN,
					...options,
				}),
			);
			set({
				AWS_ENDPOINT_URL_STS: sts.origin,
				AWS_ROLE_ARN: ROLE_ARN,
				AWS_WEB_IDENTITY_TOKEN_FILE: write("web-identity-token", WEB_IDENTITY_TOKEN),
			});
			return sts;
		},
		async end() {
			vi.unstubAllEnvs();
			await Promise.all(started.map((standIn) => standIn.close()));
			rmSync(home, { recursive: true });
		},
	};
}
