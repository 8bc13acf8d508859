/// The face of the lamp that a definition begins with.
extension Starter {
  var face: String {
    #"""
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 320" font-family="system-ui, sans-serif">
      <title>\#(title)</title>
      <desc>A table lamp. Its shade shines while it is on; the button is on its foot.</desc>
      <defs>
        <radialGradient id="light">
          <stop offset="0" stop-color="#ffdf80" stop-opacity="0.95"/>
          <stop offset="0.6" stop-color="#ffc83d" stop-opacity="0.45"/>
          <stop offset="1" stop-color="#ffc83d" stop-opacity="0"/>
        </radialGradient>
      </defs>
      <circle cx="160" cy="118" r="118" fill="url(#light)" data-opacity="{if(is-on, 1, 0)}" opacity="0"/>
      <rect x="153" y="150" width="14" height="118" fill="#5a6472"/>
      <path d="M104 40h112l44 124H60z" fill="#aab3bf" stroke="#8b95a3" stroke-width="3" stroke-linejoin="round"
        data-fill="{if(is-on, '#ffd35c', '#aab3bf')}" data-stroke="{if(is-on, '#f2b01e', '#8b95a3')}"/>
      <path d="M112 50h14L98 154H76z" fill="#fff" opacity="0.35"/>
      <rect x="76" y="240" width="168" height="72" rx="20" fill="#2b313b" stroke="#4a5360" stroke-width="2"/>
      <text x="98" y="288" font-size="34" font-weight="700" fill="#f2f5f9" data-text="{if(is-on, 'on', 'off')}">off</text>
      <g data-press="button">
        <circle cx="206" cy="276" r="24" fill="#4a5360" data-fill="{if(is-on, '#f2b01e', '#4a5360')}"/>
        <path d="M206 262v12M197 267a12 12 0 1 0 18 0" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round"/>
      </g>
    </svg>

    """#
  }
}
