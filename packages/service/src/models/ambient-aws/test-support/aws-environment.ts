import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { CredentialServer, IssueOptions } from "@stemma/simulators/aws-credentials";
import {
	type ContainerCredentialsOptions,
	type InstanceMetadataOptions,
	startContainerCredentials,
	startInstanceMetadata,
	startSecurityTokenService,
} from "@stemma/simulators/aws-credentials";
import { vi } from "vitest";

export const ROLE_ARN = "arn:aws:iam::123456789012:role/stemma";
export const WEB_IDENTITY_TOKEN = "eyJhbGciOiJSUzI1NiJ9.web-identity.signature";
export const CONTAINER_TOKEN = "container-token-0123456789";

/** Nothing listens there: no test may reach the metadata service of the machine that it runs on. */
const UNREACHABLE_ORIGIN = "http://127.0.0.1:9";

/** This process as a machine that has what a test gives it, and none of the credentials that there really are. */
export interface AwsEnvironment {
	set(environment: Readonly<Record<string, string | undefined>>): void;
	/** @returns where in its home it is. */
	write(path: string, text: string): string;
	startMetadata(options?: InstanceMetadataOptions): Promise<CredentialServer>;
	startContainer(options?: ContainerCredentialsOptions): Promise<CredentialServer>;
	startSts(options?: IssueOptions): Promise<CredentialServer>;
	close(): Promise<void>;
}

export function createAwsEnvironment(): AwsEnvironment {
	const home = mkdtempSync(join(tmpdir(), "stemma-machine-"));
	const started: CredentialServer[] = [];

	function set(environment: Readonly<Record<string, string | undefined>>): void {
		for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
	}

	function write(path: string, text: string): string {
		const file = join(home, path);
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
		return file;
	}

	async function track(starting: Promise<CredentialServer>): Promise<CredentialServer> {
		const simulator = await starting;
		started.push(simulator);
		return simulator;
	}

	const awsVariables = Object.keys(process.env).filter((name) => name.startsWith("AWS_"));
	set(Object.fromEntries(awsVariables.map((name) => [name, undefined])));
	set({ HOME: home, AWS_EC2_METADATA_SERVICE_ENDPOINT: UNREACHABLE_ORIGIN });

	return {
		set,
		write,
		async startMetadata(options) {
			const metadata = await track(startInstanceMetadata(options));
			set({ AWS_EC2_METADATA_SERVICE_ENDPOINT: metadata.origin });
			return metadata;
		},
		async startContainer(options) {
			const container = await track(
				startContainerCredentials({ authorization: CONTAINER_TOKEN, ...options }),
			);
			set({
				AWS_CONTAINER_CREDENTIALS_FULL_URI: `${container.origin}/v1/credentials`,
				AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: write("container-token", CONTAINER_TOKEN),
			});
			return container;
		},
		async startSts(options) {
			const sts = await track(
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
		async close() {
			vi.unstubAllEnvs();
			await Promise.all(started.map((simulator) => simulator.close()));
			rmSync(home, { recursive: true });
		},
	};
}
