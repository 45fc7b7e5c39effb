import { render } from 'preact';
import './style.css';

function App() {
  return <main><h1>inkling</h1></main>;
}

render(<App />, document.getElementById('app')!);
