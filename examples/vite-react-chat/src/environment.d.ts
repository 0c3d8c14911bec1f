/// <reference types="vite/client" />

interface ImportMetaEnv {
	readonly VITE_STEMMA_BASE_URL?: string;
	readonly VITE_STEMMA_CLIENT_KEY?: string;
	readonly VITE_STEMMA_AGENT?: string;
}
