import { tuneEngine } from '../adapters/node/tune-engine.ts'

// thousands of short scans: V8 spent a third of the CPU on optimizing what is run for a second
tuneEngine('scans')
