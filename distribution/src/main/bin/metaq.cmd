@echo off
rem MetaQ's command line. Needs Java 17 or later: JAVA_HOME, or java on the PATH.
rem   METAQ_HEAP   heap of a broker, default 512m
rem   METAQ_OPTS   more options for the JVM
setlocal

for %%I in ("%~dp0..") do set "home=%%~fI"

set "java=java"
if defined JAVA_HOME if exist "%JAVA_HOME%\bin\java.exe" set "java=%JAVA_HOME%\bin\java.exe"
where /q "%java%" 2>nul || if not exist "%java%" (
  echo metaq: no Java found; install Java 17 or later and set JAVA_HOME or the PATH 1>&2
  exit /b 1
)

set "options=tool"
if "%~1"=="start" set "options=broker"
if not defined METAQ_HEAP set "METAQ_HEAP=512m"
if "%options%"=="broker" set "METAQ_OPTS=-Xmx%METAQ_HEAP% %METAQ_OPTS%"

"%java%" "@%home%\conf\jvm-%options%.options" %METAQ_OPTS% ^
  "-Dmetaq.home=%home%" "-Dlogback.configurationFile=%home%\conf\logback-%options%.xml" ^
  -cp "%home%\lib\*" io.metaq.cli.Metaq %*
exit /b %ERRORLEVEL%
