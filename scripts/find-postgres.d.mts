export function findPostgres(): string | undefined;
export function hasPgvector(folder: string): boolean;
