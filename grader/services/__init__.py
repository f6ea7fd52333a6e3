"""What people may do, and by which rules: plain functions on a session, called by pages, API and commands.

Every function that acts for someone takes the session and that `User`, checks what he may do (`access`) and raises
`Refused` with words for him. None knows of requests, and none commits: the caller's transaction does.
"""
