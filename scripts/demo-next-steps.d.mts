/** What `npm start` has started, and what it suggests. */
export interface DemoSteps {
	readonly data: string;
	readonly agents: string;
	/** File of the first credentials, relative to the working folder. */
	readonly credentials: string;
	readonly serviceUrl: string;
	readonly runtimeUrl: string;
	/** Signs in. */
	readonly link: string;
	readonly knowledgeBase: string;
	readonly agentId: string;
	/** JSON of a question. */
	readonly body: string;
}

export function describeNextSteps(platform: string, demo: DemoSteps, defaultPort: number): string;
